/** Rules that determine the availability of a reverse proxy's upstreams. */
import { timeOption, type CircuitBreaker } from '@sluice/http-app';
import type { Context } from '@sluice/registry';
import type { PassiveConfig } from './options.ts';
import type { QueueTurn } from './queue/queue-turn.ts';

export interface PassiveRules {
  /** Time window in which failures count, in milliseconds. 0 means that failures do not count. */
  readonly failDuration: number;
  /** Unhealthy statuses. A single digit such as 5 is a status class. */
  readonly unhealthyStatus: readonly number[];
  /** Unhealthy latency, in milliseconds. 0 means no limit. */
  readonly unhealthyLatency: number;
}

export interface AvailabilityRules {
  /** Number of failures after which an upstream is unavailable. 0 disables this rule. */
  readonly maxFails: number;
  readonly maxRequests: number;
  readonly breaker: CircuitBreaker | null;
  readonly passive: PassiveRules;
  /**
   * Selection state of the proxy's queue, or null if the proxy has none. If there is no queue, an upstream at its request limit is
   * unavailable.
   */
  readonly turn: QueueTurn | null;
}

// Rules without restrictions. All proxies with default options share this object, because a configuration can contain thousands of them.
const alwaysAvailable: AvailabilityRules = {
  turn: null,
  maxFails: 0,
  maxRequests: 0,
  breaker: null,
  passive: { failDuration: 0, unhealthyStatus: [], unhealthyLatency: 0 },
};

/** Returns the availability rules for the options of passive health checks. */
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
