/** The admin server: the API, served at an endpoint. */
import type { EndpointListener } from './endpoint/endpoint.ts';
import type { AdminServerOptions } from './api-options.ts';
import { AdminMetrics } from './admin-metrics.ts';
import { admit } from './front.ts';
import { defaultBodyLimit } from './http/body.ts';

/**
 * Serves the API on the endpoints that the `admin` section configures. Without a configuration, call
 * `endpoint.listen()`. Routes are collected when an endpoint first listens, because traffic threads don't need them.
 */
export function serveAdmin(options: AdminServerOptions): void {
  let listener: Promise<EndpointListener> | null = null;
  for (const endpoint of [options.endpoint, options.remote]) endpoint?.serve(() => (listener ??= load(options)));
}

async function load(options: AdminServerOptions): Promise<EndpointListener> {
  const { log, onStop } = options;
  const [{ collectRoutes }, { createApp }] = await Promise.all([import('./all-routes.ts'), import('./app.ts')]);
  let stopping = false;
  const api = {
    ...options,
    bodyLimit: options.bodyLimit ?? defaultBodyLimit,
    onStop: () => {
      if (stopping) return;
      stopping = true;
      onStop();
    },
  };
  const routes = collectRoutes(api);
  const paths = [...routes.table.keys()];
  const take = createApp(api, routes);
  const metrics = options.metrics === undefined ? null : new AdminMetrics(options.metrics, paths);
  const interior = { take, trees: new Set(['/config', '/id', ...treesOf(paths)]), metrics, log };
  return (request, response, guard) => admit(request, response, guard, interior);
}

/** Paths such as `/pki` for `/pki/{*rest}`, which redirect if the trailing slash is missing. */
function treesOf(paths: readonly string[]): string[] {
  return paths.flatMap((path) => /^(.+)\/\{\*\w+\}$/.exec(path)?.[1] ?? []);
}
