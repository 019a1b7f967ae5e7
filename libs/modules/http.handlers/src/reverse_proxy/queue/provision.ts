/** Provisions the queue of a reverse proxy. */
import { taskOf } from '@sluice/base';
import { timeOption, type UpstreamHost } from '@sluice/http-app';
import type { Context } from '@sluice/registry';
import { metricsToken, type Metrics } from '@sluice/telemetry';
import type { SharedCell } from '@sluice/threads';
import { FairLimit } from '../../common/fair-limit.ts';
import type { ReverseProxyConfig } from '../options.ts';
import { QueueMetrics, upstreamQueue } from './metrics.ts';
import type { PlaceWatch } from './place-watch.ts';
import type { QueueTurn } from './queue-turn.ts';
import { RequestQueue } from './request-queue.ts';

const defaultTimeout = 10_000;

/** Maximum number of requests that look for an upstream at the same time. These requests do not wait for messages from other threads. */
const maxFront = 16;

const task = taskOf('http.handlers.reverse_proxy');

export interface QueueScope {
  readonly places: PlaceWatch;
  readonly turn: QueueTurn;
  /** Returns a shared cell of the queue. Proxies with the same cells share a queue. */
  readonly cell: (name: string) => SharedCell;
  /** Returns the upstreams that this thread uses. */
  readonly hosts: () => Iterable<UpstreamHost>;
}

export function provisionQueue(
  balancing: NonNullable<ReverseProxyConfig['load_balancing']>,
  context: Context,
  { places, turn, cell, hosts }: QueueScope,
): RequestQueue {
  const timeout = timeOption(balancing.queue_timeout, defaultTimeout, context, 'load_balancing', 'queue_timeout');
  if (!(timeout > 0))
    throw context.error('must be greater than zero, such as "10s"', 'load_balancing', 'queue_timeout');
  const size = balancing.queue ?? 0;
  const metrics = context.roles.traffic ? context.find(metricsToken) : undefined;
  if (metrics !== undefined) gaugeQueues(metrics, hosts, context);
  const line = new FairLimit({
    cell: cell('line'),
    task,
    // The fair limit does not limit the queue size, because requests at the front already count as admitted.
    bounds: () => ({ max: maxFront, queue: Number.MAX_SAFE_INTEGER }),
    onIdle: () => undefined,
  });
  return new RequestQueue({
    line,
    cell: cell('size'),
    turn,
    places,
    size,
    timeout,
    metrics: metrics === undefined ? null : new QueueMetrics(metrics, context.where()),
  });
}

/** Keeps the queue gauge up to date for all upstreams of the thread while the proxy is active. */
function gaugeQueues(metrics: Metrics, hosts: QueueScope['hosts'], context: Context): void {
  let stop: (() => void) | null = null;
  context.onCommit(() => {
    const gauge = metrics.family(upstreamQueue);
    stop = metrics.onCollect(() => {
      for (const { address, waiters } of hosts()) if (waiters !== null) gauge.with(address).set(waiters.here);
    });
  });
  context.onRetire(() => stop?.());
}
