/** Metric of `http.handlers.mirror`. */
import { declareCounter, type Metrics, type Series } from '@sluice/telemetry';

export const mirrorRequests = declareCounter(
  'sluice_mirror_requests_total',
  'Total number of requests selected for mirroring, by result: success, error, timeout, full (max_concurrent reached), too_large (body larger than max_body_size), incomplete (the body did not arrive completely), skipped (streams and upgrades), or canceled (configuration change).',
  ['result'],
);

/**
 * Result for a request selected for mirroring. No copy is sent for `full`, `too_large`, `incomplete` and `skipped`. `canceled` means that a
 * configuration change interrupted the copy.
 */
export type MirrorResult =
  | 'success'
  | 'error'
  | 'timeout'
  | 'full'
  | 'too_large'
  | 'incomplete'
  | 'skipped'
  | 'canceled';

/** Counts the mirroring results of one thread. */
export class MirrorMetrics {
  readonly #metrics: Metrics;
  readonly #series = new Map<MirrorResult, Series>();

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  count(result: MirrorResult): void {
    let series = this.#series.get(result);
    if (series === undefined) this.#series.set(result, (series = this.#metrics.family(mirrorRequests).with(result)));
    series.add();
  }
}
