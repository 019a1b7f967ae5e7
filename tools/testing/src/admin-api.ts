/** Serves the admin API of a reconciler in tests. Use it to test routes that packages contribute. */
import { AdminEndpoint, serveAdmin } from '@sluice/admin-api';
import { silentLogger, type Logger } from '@sluice/base';
import type { Reconciler } from '@sluice/reconciler';
import { askAdmin, type AdminTestRequest, type AdminTestResponse } from './ask-admin.ts';

/** A running admin API in a test. */
export interface AdminApi {
  readonly port: number;
  /** Sends a request to the admin API, such as `request('/pki/ca/local')`. */
  request(path: string, ask?: AdminTestRequest): Promise<AdminTestResponse>;
  close(): Promise<void>;
}

/** Serves the admin API of a reconciler on a loopback port. Close the API before the reconciler. */
export async function adminApi(reconciler: Reconciler, log: Logger = silentLogger): Promise<AdminApi> {
  const endpoint = new AdminEndpoint({ defaultAddress: '127.0.0.1:0', log });
  serveAdmin({ reconciler, endpoint, log, version: 'test', onStop: () => undefined });
  await endpoint.listen();
  await endpoint.ready();
  const port = Number(endpoint.address?.split(':').at(-1));
  return { port, request: (path, ask = {}) => askAdmin(port, path, ask), close: () => endpoint.close() };
}
