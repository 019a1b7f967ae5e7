import type { TestServer } from '@sluice/testing';

/** An entry of `GET /reverse_proxy/upstreams`. */
export interface UpstreamEntry {
  readonly address: string;
  readonly num_requests: number;
  readonly fails: number;
}

/** Calls an admin API route that a module contributes. */
export async function askAdmin(server: TestServer, method: string, path: string): Promise<unknown> {
  const { status, json } = await server.admin(path, { method });
  if (status >= 400) throw Object.assign(new Error((json() as { error: string }).error), { status });
  return json();
}

/** Returns the upstreams with their counters. */
export async function readUpstreams(server: TestServer): Promise<readonly UpstreamEntry[]> {
  return (await askAdmin(server, 'GET', '/reverse_proxy/upstreams')) as readonly UpstreamEntry[];
}
