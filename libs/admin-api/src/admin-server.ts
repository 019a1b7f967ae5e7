/** The admin server: the API, served at an endpoint. */
import type { Engine } from '@sluice/engine';
import type { Logger } from '@sluice/base';
import type { Metrics } from '@sluice/telemetry';
import type { AdminEndpoint } from './endpoint/endpoint.ts';
import { AdminMetrics } from './admin-metrics.ts';
import { admit } from './front.ts';
import { defaultBodyLimit } from './http/body.ts';
import { collectRoutes } from './routes/contributed.ts';

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
  /** Ends the process gracefully. Called once, after `POST /stop` has been answered. */
  readonly onStop: () => void;
  /** Largest request body in bytes; default 64 MiB. */
  readonly bodyLimit?: number;
}

/**
 * Lets the endpoint answer with the API. It does not listen yet: the configuration decides where, by its section
 * `admin`; without one, call `endpoint.listen()`. Express is loaded here and not before, as threads that only serve
 * traffic do without.
 */
export async function serveAdmin(options: AdminServerOptions): Promise<void> {
  const { endpoint, log, onStop } = options;
  const { createApp } = await import('./app.ts');
  const routes = collectRoutes(options.engine.registry);
  let stopping = false;
  const take = createApp(
    {
      ...options,
      bodyLimit: options.bodyLimit ?? defaultBodyLimit,
      onStop: () => {
        if (stopping) return;
        stopping = true;
        onStop();
      },
    },
    routes,
  );
  const contributed = [...routes.keys()].filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1));
  const metrics = options.metrics === undefined ? null : new AdminMetrics(options.metrics, [...routes.keys()]);
  const interior = { take, trees: new Set(['/config', '/id', ...contributed]), metrics, log };
  for (const served of [endpoint, options.remote])
    served?.serve((request, response, guard) => admit(request, response, guard, interior));
}
