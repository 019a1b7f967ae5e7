/** The admin server: the API, served at an endpoint. */
import type { Reconciler } from '@sluice/reconciler';
import type { Logger } from '@sluice/base';
import type { Metrics } from '@sluice/telemetry';
import type { AdminEndpoint, EndpointListener } from './endpoint/endpoint.ts';
import type { ReadPageFile } from './dashboard/page-files.ts';
import { AdminMetrics } from './admin-metrics.ts';
import { admit } from './front.ts';
import { defaultBodyLimit } from './http/body.ts';

/** What an admin server is made of. */
export interface AdminServerOptions {
  readonly reconciler: Reconciler;
  /** The endpoint of the API; the same object as the service `adminEndpoint` of the reconciler's runtime. */
  readonly endpoint: AdminEndpoint;
  /** Where other machines reach it; the service `remoteEndpoint`. */
  readonly remote?: AdminEndpoint;
  readonly log: Logger;
  /** Version of the server. */
  readonly version: string;
  /** Where requests are counted; nowhere without it. */
  readonly metrics?: Metrics;
  /** Ends the process gracefully. Called once, after the response to `POST /stop`. */
  readonly onStop: () => void;
  /** Starts the process that takes over; resolves with its number when it serves. Without it there is no such route. */
  readonly onUpgrade?: () => Promise<number>;
  /** Reads files of the dashboard, which is served at `/ui/`; without it there is none. */
  readonly pageFile?: ReadPageFile;
  /** The file that is put in force whenever it changes; `null` where none is. */
  readonly watchedFile?: string | null;
  /** The file that the server was started with; `null` for none. Loading it by `sluice reload` keeps it the source of the configuration. */
  readonly configFile?: string | null;
  /** Largest request body in bytes; default 64 MiB. */
  readonly bodyLimit?: number;
}

/**
 * Lets the endpoints respond with the API, where and when the configuration says, by its section `admin`; without one, call
 * `endpoint.listen()`. Routes are collected when one of them first listens: threads that only serve traffic do without them.
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

/** Paths such as `/pki` of `/pki/{*rest}`: asked for without a slash at their end, they redirect. */
function treesOf(paths: readonly string[]): string[] {
  return paths.flatMap((path) => /^(.+)\/\{\*\w+\}$/.exec(path)?.[1] ?? []);
}
