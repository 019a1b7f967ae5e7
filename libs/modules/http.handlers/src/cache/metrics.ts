/** Metrics of `http.handlers.cache`. */
import { declareCounter, declareGauge, type Metrics, type Series } from '@sluice/telemetry';

export const cacheRequests = declareCounter(
  'sluice_cache_requests_total',
  'Total number of requests by outcome: hit, stale, miss, revalidated, bypass, or method. Responses that are written to the cache are also counted as stored.',
  ['outcome'],
);

export const cacheObjects = declareGauge('sluice_cache_objects', 'Number of responses in the cache.', ['store']);

/** Metric: size of the cache stores. */
export const cacheBytes = declareGauge('sluice_cache_bytes', 'Bytes used by cached responses.', ['store']);

export const cacheEvictions = declareGauge(
  'sluice_cache_evictions',
  'Number of responses evicted from the memory cache.',
);

/** Result of the cache lookup for a request, used in metrics. */
export type Outcome = 'hit' | 'stale' | 'miss' | 'revalidated' | 'bypass' | 'method' | 'stored';

/** Request counters of the cache in one thread. */
export class CacheMetrics {
  readonly #metrics: Metrics;
  readonly #series = new Map<Outcome, Series>();

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  count(outcome: Outcome): void {
    let series = this.#series.get(outcome);
    if (series === undefined) {
      series = this.#metrics.family(cacheRequests).with(outcome);
      this.#series.set(outcome, series);
    }
    series.add();
  }
}
