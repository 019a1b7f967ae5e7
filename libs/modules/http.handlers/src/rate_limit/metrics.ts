/** Metrics of `http.handlers.rate_limit`, labeled by zone. Keys are not used as labels, because clients choose them. */
import { declareCounter, declareGauge, type Metrics, type Series } from '@sluice/telemetry';

export const rateLimitRequests = declareCounter(
  'caddy_rate_limit_requests_total',
  'Total number of requests counted or rejected by rate limit zones.',
  ['zone'],
);

export const rateLimitDeclined = declareCounter(
  'caddy_rate_limit_declined_requests_total',
  'Total number of requests rejected by rate limit zones.',
  ['zone'],
);

/** Metric: number of tracked keys, by zone. */
export const rateLimitKeys = declareGauge('caddy_rate_limit_keys_total', 'Number of keys in rate limit zones.', [
  'zone',
]);

export class ZoneCounter {
  readonly #metrics: Metrics;
  readonly #zone: string;
  #all: Series | null = null;
  #declined: Series | null = null;

  constructor(metrics: Metrics, zone: string) {
    this.#metrics = metrics;
    this.#zone = zone;
  }

  count(isDeclined: boolean): void {
    if (this.#all === null || this.#declined === null) {
      this.#all = this.#metrics.family(rateLimitRequests).with(this.#zone);
      this.#declined = this.#metrics.family(rateLimitDeclined).with(this.#zone);
    }
    this.#all.add();
    if (isDeclined) this.#declined.add();
  }
}
