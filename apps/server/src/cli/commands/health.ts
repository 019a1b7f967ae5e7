/** `sluice health`: whether a server runs and its admin endpoint responds, for whoever watches it, such as a container. */
import { adminAddress, callAdmin } from '../admin-client.ts';

/** Options of `health`. */
export interface HealthOptions {
  readonly address?: string;
}

/** Resolves with 0 if it does. One that wants a token of this client is well, too. */
export async function health({ address }: HealthOptions): Promise<number> {
  await callAdmin({
    address: adminAddress(address, null),
    method: 'GET',
    path: '/config/admin/listen',
    isError: (status) => status >= 500,
  });
  process.stdout.write('the server is healthy\n');
  return 0;
}
