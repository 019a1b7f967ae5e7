/** Metrics of `http.handlers.concurrency_limit`, labeled by limit. Keys are not used as labels, because clients choose them. */
import { declareCounter, declareGauge, type Metrics, type Series } from '@sluice/telemetry';

/** Results of requests. `queued` means that the request was admitted after waiting. */
const results = ['admitted', 'queued', 'rejected', 'timed_out', 'aborted'] as const;

export const limitedRequests = declareCounter(
  'sluice_concurrency_limit_requests_total',
  'Total number of requests that were subject to a concurrency limit, by result: admitted (immediately), queued (admitted from the queue), rejected, timed_out (in the queue), or aborted (by the client while queued).',
  ['limit', 'result'],
);

export const limitedInFlight = declareGauge(
  'sluice_concurrency_limit_requests',
  'Number of running and queued requests that are subject to a concurrency limit.',
  ['limit', 'state'],
);

export class LimitMetrics {
  readonly #series: Readonly<Record<(typeof results)[number], Series>>;

  constructor(metrics: Metrics, limit: string) {
    const family = metrics.family(limitedRequests);
    this.#series = {
      admitted: family.with(limit, 'admitted'),
      queued: family.with(limit, 'queued'),
      rejected: family.with(limit, 'rejected'),
      timed_out: family.with(limit, 'timed_out'),
      aborted: family.with(limit, 'aborted'),
    };
  }

  count(result: (typeof results)[number]): void {
    this.#series[result].add();
  }
}
