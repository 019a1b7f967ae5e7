/** Metrics of `http.handlers.waf`. */
import { declareCounter, declareGauge, declareHistogram } from '@sluice/telemetry';

/** Result of a request: `unavailable` requests were rejected because the engine failed, `uninspected` ones passed nevertheless. */
export type WafResult = 'passed' | 'blocked' | 'unavailable' | 'uninspected';

export const wafRequests = declareCounter(
  'sluice_waf_requests_total',
  'Total number of requests to web application firewalls, by result: passed, blocked, unavailable (rejected because the engine failed), uninspected (passed without inspection because the engine failed).',
  ['result'],
);

export const wafBlocked = declareCounter(
  'sluice_waf_blocked_requests_total',
  'Total number of requests that web application firewalls blocked, by ID and phase of the rule.',
  ['rule', 'phase'],
);

export const wafDuration = declareHistogram(
  'sluice_waf_inspection_duration_seconds',
  'Time between sending a part of a request or response to the engine and its verdict, including the time in its queue.',
  [0.000_25, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
);

export const wafInFlight = declareGauge(
  'sluice_waf_inspections_in_flight',
  'Number of inspections running or queued in the engine.',
);

export const wafRestarts = declareCounter(
  'sluice_waf_engine_restarts_total',
  'Total number of restarts of engines after they exited.',
);
