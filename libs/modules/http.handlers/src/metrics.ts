/** Metrics of the handlers in this package, for the reference documentation. */
import type { FamilyDescription } from '@sluice/telemetry';
import { cacheBytes, cacheEvictions, cacheObjects, cacheRequests } from './cache/metrics.ts';
import { mirrorRequests } from './mirror/metrics.ts';
import { limitedInFlight, limitedRequests } from './concurrency_limit/metrics.ts';
import { wafBlocked, wafDuration, wafInFlight, wafRequests, wafRestarts } from './waf/metrics.ts';
import { rateLimitDeclined, rateLimitKeys, rateLimitRequests } from './rate_limit/metrics.ts';
import { queuedRequests, upstreamQueue } from './reverse_proxy/queue/metrics.ts';
import { upstreamEjections } from './reverse_proxy/outliers/sweep.ts';
import { upstreamsHealthy, upstreamState } from './reverse_proxy/health/health-gauge.ts';

export const metrics: readonly FamilyDescription[] = [
  cacheRequests,
  cacheObjects,
  cacheBytes,
  cacheEvictions,
  mirrorRequests,
  limitedRequests,
  limitedInFlight,
  rateLimitRequests,
  rateLimitDeclined,
  rateLimitKeys,
  wafRequests,
  wafBlocked,
  wafDuration,
  wafInFlight,
  wafRestarts,
  upstreamsHealthy,
  upstreamState,
  upstreamEjections,
  queuedRequests,
  upstreamQueue,
];
