/** Rules of a proxy for the availability of its upstreams. */
import { timeOption, type CircuitBreaker } from '@sluice/http-app';
import type { Context } from '@sluice/registry';
import type { PassiveConfig } from './options.ts';
import type { QueueTurn } from './queue/queue-turn.ts';

export interface PassiveRules {
  /** Time in milliseconds for which a failure counts; 0 means failures don't count. */
  readonly failDuration: number;
  /** Statuses, and status classes, for example 5. */
  readonly unhealthyStatus: readonly number[];
  /** Latency limit in milliseconds; 0 means no limit. */
  readonly unhealthyLatency: number;
}

export interface AvailabilityRules {
  /** Number of failures that make an upstream unavailable; 0 means disabled. */
  readonly maxFails: number;
  readonly maxRequests: number;
  readonly breaker: CircuitBreaker | null;
  readonly passive: PassiveRules;
  /** True if the proxy has a queue. Otherwise, an upstream at its limit is unavailable. */
  readonly turn: QueueTurn | null;
}

// Shared, because configurations can have thousands of proxies with default options.
const alwaysAvailable: AvailabilityRules = {
  turn: null,
  maxFails: 0,
  maxRequests: 0,
  breaker: null,
  passive: { failDuration: 0, unhealthyStatus: [], unhealthyLatency: 0 },
};

/** Returns the rules for the options of passive health checks. */
export function availabilityRules(
  passive: PassiveConfig | null,
  breaker: CircuitBreaker | null,
  turn: QueueTurn | null,
  context: Context,
): AvailabilityRules {
  if (passive === null && breaker === null && turn === null) return alwaysAvailable;
  const time = (value: Parameters<typeof timeOption>[0], name: string): number =>
    timeOption(value, 0, context, 'health_checks', 'passive', name);
  const failDuration = time(passive?.fail_duration, 'fail_duration');
  return {
    turn,
    maxFails: failDuration > 0 ? passive?.max_fails || 1 : 0,
    maxRequests: passive?.unhealthy_request_count ?? 0,
    breaker,
    passive: {
      failDuration,
      unhealthyStatus: passive?.unhealthy_status ?? [],
      unhealthyLatency: time(passive?.unhealthy_latency, 'unhealthy_latency'),
    },
  };
}
