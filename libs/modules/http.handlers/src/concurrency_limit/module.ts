/** Creates the `http.handlers.concurrency_limit` module. */
import { parseDuration } from '@sluice/base';
import { compileText, httpHandlers, type HttpHandler } from '@sluice/http-app';
import { defineModule, duration, integer, options, string } from '@sluice/registry';
import { metricsToken } from '@sluice/telemetry';
import { allocateSharedCells, SharedCells, sharedCellsToken } from '@sluice/threads';
import { ConcurrencyLimit } from './concurrency-limit.ts';
import { LimitTable, OncePerMinute } from './limit.ts';
import { limitedInFlight, LimitMetrics } from './metrics.ts';

const defaultQueueTimeout = 10_000;

export function makeConcurrencyLimitModule() {
  const table = new LimitTable();
  let ownCells: SharedCells | null = null;
  return defineModule(httpHandlers, {
    name: 'concurrency_limit',
    effect: 'consumes',
    help: 'Limits the number of concurrent requests per key. Additional requests wait in a first-in, first-out queue or are rejected. The limit is exact across all worker threads. Queued requests survive configuration changes. `{http.concurrency_limit.exceeded.name}` is the name of the limit that rejected a request.',
    config: options({
      name: string(
        'Name of the limit. Handlers with the same name share one limit. Default: the configuration path of the handler.',
      ),
      key: string('Key for counting requests. May contain placeholders. Default: all requests are counted together.', {
        examples: ['{http.request.remote.host}'],
      }),
      max: integer('Maximum number of concurrent requests per key. Required.', { minimum: 1 }),
      queue: integer('Maximum number of queued requests per key. 0 = reject requests over the limit immediately.', {
        default: 0,
        minimum: 0,
      }),
      queue_timeout: duration('Maximum time that a request waits in the queue. Default: 10s.'),
      status_code: integer('Status code for rejected requests, such as 503 or 429.', {
        default: 503,
        minimum: 400,
        maximum: 599,
      }),
    }),
    provision(config, context): HttpHandler {
      const { max } = config;
      if (max == null) throw context.error('is missing: set the maximum number of concurrent requests', 'max');
      const queueTimeout = config.queue_timeout == null ? defaultQueueTimeout : parseDuration(config.queue_timeout);
      if (!(queueTimeout > 0)) throw context.error('must be greater than zero', 'queue_timeout');
      const name = config.name || context.where();
      const bounds = { max, queue: config.queue ?? 0 };
      const cells =
        context.find(sharedCellsToken) ??
        (ownCells ??= new SharedCells(allocateSharedCells({ capacity: 8192, threads: 1 }), 0));
      const limit = table.acquire(name, cells, bounds);
      context.onDispose(() => table.release(limit));
      const metrics = context.roles.traffic ? context.find(metricsToken) : undefined;
      let stopCollecting: (() => void) | undefined;
      context.onTakeOver(() => {
        limit.bounds = bounds;
      });
      context.onCommit(() => {
        const gauge = metrics?.family(limitedInFlight);
        stopCollecting = metrics?.onCollect(() => {
          const { running, waiting } = limit.requests;
          gauge?.with(name, 'running').set(running);
          gauge?.with(name, 'waiting').set(waiting);
        });
      });
      context.onRetire(() => stopCollecting?.());
      return new ConcurrencyLimit({
        limit,
        key: compileText(config.key ?? '', 'empty'),
        queueTimeout,
        hasQueue: bounds.queue > 0,
        status: config.status_code ?? 503,
        metrics: metrics === undefined ? null : new LimitMetrics(metrics, name),
        log: context.log,
        manyKeys: new OncePerMinute(),
      });
    },
  });
}
