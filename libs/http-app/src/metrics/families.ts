/** Request metric families with Caddy's names, labels and buckets. */
import {
  declareCounter,
  declareGauge,
  declareHistogram,
  type Family,
  type FamilyDescription,
  type Metrics,
} from '@sluice/telemetry';

/** Label mode of request metrics: no metrics, totals only, a host label for hosts that routes name, or a host label for any host. */
export type MetricsMode = 'off' | 'total' | 'host' | 'any-host';

/** Histogram buckets for durations, in seconds. */
const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Histogram buckets for sizes, in bytes. */
const bytes = [256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304];

const few = ['handler', 'host', 'server'];
const all = ['code', 'handler', 'host', 'method', 'server'];

/** Definitions of all request metrics with all possible labels. */
export const requestMetrics = {
  inFlight: declareGauge('caddy_http_requests_in_flight', 'Number of requests currently handled by this server.', few),
  requests: declareCounter('caddy_http_requests_total', 'Counter of HTTP(S) requests made.', few),
  errors: declareCounter('caddy_http_request_errors_total', 'Number of requests resulting in middleware errors.', few),
  duration: declareHistogram(
    'caddy_http_request_duration_seconds',
    'Histogram of round-trip request durations.',
    seconds,
    all,
  ),
  responseDuration: declareHistogram(
    'caddy_http_response_duration_seconds',
    'Histogram of times to first byte in response bodies.',
    seconds,
    all,
  ),
  requestSize: declareHistogram(
    'caddy_http_request_size_bytes',
    'Total size of the request. Includes body',
    bytes,
    all,
  ),
  responseSize: declareHistogram('caddy_http_response_size_bytes', 'Size of the returned response.', bytes, all),
};

/** All request metric families. Label values are passed by name, because the host label exists only in some modes. */
export class RequestFamilies {
  readonly inFlight: Family;
  readonly requests: Family;
  readonly errors: Family;
  readonly duration: Family;
  readonly responseDuration: Family;
  readonly requestSize: Family;
  readonly responseSize: Family;

  constructor(metrics: Metrics, mode: MetricsMode) {
    const familyOf = (declared: FamilyDescription): Family =>
      metrics.family(
        mode === 'total'
          ? { ...declared, labelNames: declared.labelNames.filter((label) => label !== 'host') }
          : declared,
      );
    this.inFlight = familyOf(requestMetrics.inFlight);
    this.requests = familyOf(requestMetrics.requests);
    this.errors = familyOf(requestMetrics.errors);
    this.duration = familyOf(requestMetrics.duration);
    this.responseDuration = familyOf(requestMetrics.responseDuration);
    this.requestSize = familyOf(requestMetrics.requestSize);
    this.responseSize = familyOf(requestMetrics.responseSize);
  }
}
