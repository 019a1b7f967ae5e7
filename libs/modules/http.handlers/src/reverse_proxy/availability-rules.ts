/** Rules of a proxy for the availability of its upstreams. */
import type { CircuitBreaker } from '@sluice/http-app';
import type { QueueTurn } from './queue/queue-turn.ts';

/** Failures counted by passive health checks. */
export interface PassiveRules {
  /** Time in milliseconds for which a failure counts; 0 = failures don't count. */
  readonly failDuration: number;
  /** Statuses, and status classes, for example 5. */
  readonly unhealthyStatus: readonly number[];
  /** Latency limit in milliseconds; 0 = no limit. */
  readonly unhealthyLatency: number;
}

export interface AvailabilityRules {
  /** Failures that make an upstream unavailable; 0 = disabled. */
  readonly maxFails: number;
  /** Maximum requests in flight per upstream; 0 = no limit. */
  readonly maxRequests: number;
  readonly breaker: CircuitBreaker | null;
  readonly passive: PassiveRules;
  /** `null` without a queue: an upstream at its limit is unavailable. */
  readonly turn: QueueTurn | null;
}
