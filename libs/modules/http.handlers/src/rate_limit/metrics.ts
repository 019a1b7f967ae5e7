/** Metrics of `http.handlers.rate_limit`, by zone. Request keys are not labels, since clients choose them. */
import { declareCounter, declareGauge, type Metrics, type Series } from '@sluice/telemetry';

/** Requests by zone. */
export const rateLimitRequests = declareCounter(
  'caddy_rate_limit_requests_total',
  'Total number of requests that rate limit zones counted or rejected.',
  ['zone'],
);

/** Rejected requests by zone. */
export const rateLimitDeclined = declareCounter(
  'caddy_rate_limit_declined_requests_total',
  'Total number of requests that rate limit zones rejected.',
  ['zone'],
);

/** Known keys by zone. */
export const rateLimitKeys = declareGauge('caddy_rate_limit_keys_total', 'Number of keys in rate limit zones.', [
  'zone',
]);

/** Counts requests of one thread. */
export class RateLimitMetrics {
  readonly #metrics: Metrics;
  readonly #zones = new Map<string, { readonly all: Series; readonly declined: Series }>();

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  /** Counts a request of a zone. */
  count(zone: string, declined: boolean): void {
    let series = this.#zones.get(zone);
    if (series === undefined) {
      series = {
        all: this.#metrics.family(rateLimitRequests).with(zone),
        declined: this.#metrics.family(rateLimitDeclined).with(zone),
      };
      this.#zones.set(zone, series);
    }
    series.all.add();
    if (declined) series.declined.add();
  }
}
