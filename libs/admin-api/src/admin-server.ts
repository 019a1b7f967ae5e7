/** The admin server, which serves the admin API on its endpoints. */
import type { EndpointListener } from './endpoint/endpoint.ts';
import type { AdminServerOptions } from './api-options.ts';
import { AdminMetrics } from './admin-metrics.ts';
import { admit } from './front.ts';
import { defaultBodyLimit } from './http/body.ts';

/**
 * Serves the admin API on the endpoints that the `admin` section configures. If there is no configuration, call `endpoint.listen()`. Routes
 * are loaded when an endpoint first listens, because worker threads that only serve traffic don't need them.
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

/** Returns paths such as `/pki` for patterns such as `/pki/{*rest}`. Requests for these paths are redirected to add the trailing slash. */
function treesOf(paths: readonly string[]): string[] {
  return paths.flatMap((path) => /^(.+)\/\{\*\w+\}$/.exec(path)?.[1] ?? []);
}
