import { declareCounter, declareGauge, declareHistogram } from '@sluice/telemetry';

/** WAF result of a request. `unavailable` = rejected because the engine failed. `uninspected` = passed on although the engine failed. */
export type WafResult = 'passed' | 'blocked' | 'unavailable' | 'uninspected';

export const wafRequests = declareCounter(
  'sluice_waf_requests_total',
  'Total number of requests to web application firewalls, by result: passed, blocked, unavailable (rejected because the WAF engine failed), or uninspected (passed without inspection because the WAF engine failed).',
  ['result'],
);

export const wafBlocked = declareCounter(
  'sluice_waf_blocked_requests_total',
  'Total number of requests blocked by web application firewalls, by rule ID and phase.',
  ['rule', 'phase'],
);

export const wafDuration = declareHistogram(
  'sluice_waf_inspection_duration_seconds',
  'Time to inspect a part of a request or response, from sending it to the WAF engine until the verdict arrives. Includes queue time.',
  [0.000_25, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
);

export const wafInFlight = declareGauge(
  'sluice_waf_inspections_in_flight',
  'Number of inspections that are running or queued in the WAF engine.',
);

export const wafRestarts = declareCounter(
  'sluice_waf_engine_restarts_total',
  'Total number of WAF engine restarts after the engine exited.',
);
