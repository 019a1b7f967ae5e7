/** State of an upstream in one proxy, with a reason and a start time. Computed on demand. */
import type { UpstreamFailure } from '../upstream-error.ts';
import type { HealthMark } from './health-mark.ts';

/** States of an upstream, from worst to best. */
export const upstreamStates = ['unhealthy', 'degraded', 'healthy', 'unknown'] as const;
export type StateName = (typeof upstreamStates)[number];

export interface UpstreamState {
  readonly state: StateName;
  readonly reason: string;
  /** Start time of the state, as an ISO 8601 string. */
  readonly since: string;
}

/** Duration for which an upstream counts as degraded after a failed request, in milliseconds. */
export const recently = 60_000;

/** Cause of a failed request: an upstream error, or a response that passive health checks count as a failure. */
export type FailureKind = UpstreamFailure | 'response';

/** Kinds of failures. Shared memory stores the index in this list plus one; 0 means no failure. */
export const failureKinds: readonly FailureKind[] = [
  'dial',
  'dial-timeout',
  'timeout',
  'closed',
  'malformed',
  'response',
];

const failureTexts: Readonly<Record<FailureKind, string>> = {
  dial: 'the connection could not be established',
  'dial-timeout': 'connecting timed out',
  timeout: 'the upstream did not respond in time',
  closed: 'the upstream closed the connection',
  malformed: 'the response was malformed',
  response: 'passive health checks counted the response as a failure',
};

/** A series of failures with gaps shorter than {@link recently}. Times are in milliseconds since 1970; 0 means none. */
export interface FailureRun {
  readonly firstAt: number;
  readonly lastAt: number;
  readonly count: number;
  readonly kind: FailureKind | null;
}

/** Current ejection of an upstream by outlier detection. Times are in milliseconds since 1970. */
export interface UpstreamEjection {
  readonly since: number;
  readonly until: number;
  /** Reason for the ejection as a short noun phrase, such as `5 consecutive errors`. */
  readonly reason: string;
}

/** Data from which the state of an upstream is computed. Times are in milliseconds since 1970; 0 means never. */
export interface StateFacts {
  /** Time when the proxy started using the upstream. */
  readonly knownAt: number;
  readonly failures: FailureRun;
  /** Time of the upstream's first response. */
  readonly respondedAt: number;
  /** Result of active health checks; `null` if they are not configured. */
  readonly active: HealthMark | null;
  /** Current ejection. `null` if outlier detection is off or the upstream is not ejected. */
  readonly ejection: UpstreamEjection | null;
  /**
   * `fails` is the number of failures counted by passive health checks. The upstream becomes unhealthy at `maxFails` failures. If
   * `maxFails` is 0, passive checks are off.
   */
  readonly fails: number;
  readonly maxFails: number;
  /** Time at which `fails` reached `maxFails` (`failedAt`), and time at which a failure last expired (`forgottenAt`). */
  readonly failedAt: number;
  readonly forgottenAt: number;
  readonly isBreakerOpen: boolean;
}

/** Returns the upstream's state at the time `now`. */
export function stateOf(facts: StateFacts, now: number): UpstreamState {
  return unhealthy(facts) ?? degraded(facts, now) ?? checked(facts);
}

/** Returns the worst state among those that several proxies report. */
export function worstOf<S extends UpstreamState>(states: readonly S[]): S {
  return states.reduce((a, b) => (rank(b) < rank(a) ? b : a));
}

function rank({ state }: UpstreamState): number {
  return upstreamStates.indexOf(state);
}

function unhealthy({ active, ejection, fails, maxFails, ...facts }: StateFacts): UpstreamState | null {
  const { failures, failedAt, knownAt } = facts;
  if (active !== null && !active.healthy) {
    const problem = active.last?.problem ?? null;
    return stateSince('unhealthy', active.since, `active health check failed${problem === null ? '' : `: ${problem}`}`);
  }
  if (ejection !== null) return stateSince('unhealthy', ejection.since, ejectionText(ejection));
  // Another proxy may have recorded the failure that reached this proxy's limit.
  if (maxFails > 0 && fails >= maxFails)
    return stateSince(
      'unhealthy',
      Math.max(failedAt, failures.firstAt, knownAt),
      `${failed(fails, failures)} (max_fails: ${maxFails})`,
    );
  if (facts.isBreakerOpen)
    return stateSince('unhealthy', Math.max(failures.firstAt, knownAt), 'the circuit breaker is open');
  return null;
}

function degraded({ active, failures, fails, maxFails, ...facts }: StateFacts, now: number): UpstreamState | null {
  const { firstAt, lastAt, count } = failures;
  const isRecent = lastAt > 0 && now - lastAt < recently;
  if (!isRecent && (maxFails === 0 || fails === 0)) return null;
  // The upstream may have recovered and failed again since `firstAt`.
  const forgottenAt = facts.failedAt >= firstAt ? facts.forgottenAt : 0;
  return stateSince('degraded', Math.max(firstAt, forgottenAt, active?.recoveredAt ?? 0), failed(count, failures));
}

function checked({ active, maxFails, failures, ...facts }: StateFacts): UpstreamState {
  const { knownAt, respondedAt, forgottenAt } = facts;
  const recoveredAt = failures.lastAt === 0 ? 0 : Math.max(failures.lastAt + recently, forgottenAt);
  if (active !== null && active.since > 0)
    return stateSince('healthy', Math.max(active.since, recoveredAt), 'active health checks pass');
  if (maxFails > 0 && respondedAt > 0)
    return stateSince(
      'healthy',
      Math.max(knownAt, respondedAt, recoveredAt),
      'passive health checks have counted no failures',
    );
  const reason =
    active !== null
      ? 'no active health check has completed'
      : maxFails > 0
        ? 'no request has been sent yet'
        : 'no health checks are configured';
  return stateSince('unknown', Math.max(knownAt, recoveredAt), reason);
}

export function ejectionText({ until, reason }: UpstreamEjection): string {
  return `ejected until ${new Date(until).toISOString()} after ${reason}`;
}

function failed(count: number, { kind }: FailureRun): string {
  const text = count === 1 ? '1 request failed' : `${count} requests failed`;
  return kind === null ? text : `${text}; last: ${failureTexts[kind]}`;
}

function stateSince(state: StateName, since: number, reason: string): UpstreamState {
  return { state, reason, since: new Date(since).toISOString() };
}
