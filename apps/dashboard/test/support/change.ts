/** Changes the configuration from another client while a page is open. */
import type { Json } from '@sluice/base';

/** Sends a configuration change or a dry run request to a server. Returns the status. */
export type SendChange = (method: string, path: string, value: Json) => Promise<number>;

/** Returns a function that sends configuration changes. `origin` is the origin of the admin endpoint. */
export function changesOf(origin: string): SendChange {
  const headers = { 'Content-Type': 'application/json', Origin: origin };
  return async (method, path, value) => {
    const response = await fetch(origin + path, { method, headers, body: JSON.stringify(value) });
    await response.arrayBuffer();
    return response.status;
  };
}
