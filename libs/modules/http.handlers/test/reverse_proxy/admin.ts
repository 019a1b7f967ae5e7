import type { AdminRoute } from '@sluice/registry';
import type { TestServer } from '@sluice/testing';

/** An entry of `GET /reverse_proxy/upstreams`. */
export interface UpstreamEntry {
  readonly address: string;
  readonly num_requests: number;
  readonly fails: number;
}

/** Asks a route that modules contribute to the admin API. */
export async function askAdmin(server: TestServer, method: string, path: string): Promise<unknown> {
  const routes: AdminRoute[] = [];
  server.engine.registry.hooks.adminRoutes.call({ add: (route) => routes.push(route) });
  const mark = path.indexOf('?');
  const plain = mark < 0 ? path : path.slice(0, mark);
  const route = routes.find((each) => each.method === method && patternOf(each).test(plain));
  if (route === undefined) throw new Error(`there is no route ${method} ${plain}`);
  const values = patternOf(route).exec(plain)?.slice(1) ?? [];
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
  const query = new URLSearchParams(mark < 0 ? '' : path.slice(mark + 1));
  const request = {
    method,
    params: Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(values[index] ?? '')])),
    query,
    header: () => undefined,
    body: () => Promise.resolve(Buffer.alloc(0)),
    signal: AbortSignal.timeout(5000),
  };
  return (await route.handle(request, server.engine)).json;
}

function patternOf({ path }: AdminRoute): RegExp {
  return new RegExp(`^${path.replaceAll(/:\w+/g, '([^/]+)')}$`);
}

/** The upstreams and their counters. */
export async function readUpstreams(server: TestServer): Promise<readonly UpstreamEntry[]> {
  return (await askAdmin(server, 'GET', '/reverse_proxy/upstreams')) as readonly UpstreamEntry[];
}
