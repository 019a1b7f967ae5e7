/** The admin server: the API, served at an endpoint. */
import type { Engine } from '@sluice/engine';
import type { Logger } from '@sluice/base';
import type { Metrics } from '@sluice/telemetry';
import type { AdminEndpoint, EndpointListener } from './endpoint/endpoint.ts';
import { AdminMetrics } from './admin-metrics.ts';
import { admit } from './front.ts';
import { defaultBodyLimit } from './http/body.ts';

/** What an admin server is made of. */
export interface AdminServerOptions {
  readonly engine: Engine;
  /** Where the API is reached; the same object that the runtime of the engine has as the service `adminEndpoint`. */
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
  /** Largest request body in bytes; default 64 MiB. */
  readonly bodyLimit?: number;
}

/**
 * Lets the endpoints respond with the API, where and when the configuration says, by its section `admin`; without one, call
 * `endpoint.listen()`. Express is loaded when one of them first listens: threads that only serve traffic do without it, and
 * so does a server whose endpoint is disabled.
 */
export function serveAdmin(options: AdminServerOptions): void {
  let listener: Promise<EndpointListener> | null = null;
  for (const endpoint of [options.endpoint, options.remote]) endpoint?.serve(() => (listener ??= load(options)));
}

async function load(options: AdminServerOptions): Promise<EndpointListener> {
  const { log, onStop } = options;
  const { createApp } = await import('./app.ts');
  let stopping = false;
  const { app, paths } = createApp({
    ...options,
    bodyLimit: options.bodyLimit ?? defaultBodyLimit,
    onStop: () => {
      if (stopping) return;
      stopping = true;
      onStop();
    },
  });
  const metrics = options.metrics === undefined ? null : new AdminMetrics(options.metrics, paths);
  const interior = { take: app, trees: new Set(['/config', '/id', ...treesOf(paths)]), metrics, log };
  return (request, response, guard) => admit(request, response, guard, interior);
}

/** Paths such as `/pki` of `/pki/{*rest}`: asked for without a slash at their end, they redirect. */
function treesOf(paths: readonly string[]): string[] {
  return paths.flatMap((path) => /^(.+)\/\{\*\w+\}$/.exec(path)?.[1] ?? []);
}
