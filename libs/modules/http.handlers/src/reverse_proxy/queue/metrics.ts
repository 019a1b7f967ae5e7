/** Metrics for the queues of reverse proxies. */
import { declareCounter, declareGauge, type Metrics, type Series } from '@sluice/telemetry';

/** Results of requests that had to wait in a queue. */
const results = ['queued', 'rejected', 'timed_out', 'unavailable', 'aborted'] as const;
export type QueueResult = (typeof results)[number];

export const queuedRequests = declareCounter(
  'sluice_reverse_proxy_queue_requests_total',
  'Total number of requests that arrived while all upstreams of a proxy were at their limit, by result: queued (sent from the queue), rejected (queue full), timed_out (in the queue), unavailable (no healthy upstream left), or aborted (by the client while queued).',
  ['proxy', 'result'],
);

/** Metric: number of waiting requests, by upstream. */
export const upstreamQueue = declareGauge(
  'sluice_reverse_proxy_upstream_queue',
  'Number of queued requests that an upstream can serve. A request that several upstreams can serve is counted for each of them.',
  ['upstream'],
);

export class QueueMetrics {
  readonly #series: Readonly<Record<QueueResult, Series>>;

  constructor(metrics: Metrics, proxy: string) {
    const family = metrics.family(queuedRequests);
    this.#series = {
      queued: family.with(proxy, 'queued'),
      rejected: family.with(proxy, 'rejected'),
      timed_out: family.with(proxy, 'timed_out'),
      unavailable: family.with(proxy, 'unavailable'),
      aborted: family.with(proxy, 'aborted'),
    };
  }

  count(result: QueueResult): void {
    this.#series[result].add();
  }
}
