/** An upstream of one proxy: an address, and this proxy's availability rules. */
import {
  type CircuitBreaker,
  type DialAddress,
  type Exchange,
  type FailureKind,
  type HealthCheck,
  type HealthMark,
  type HttpTemplate,
  type Upstream,
  UpstreamError,
  type UpstreamHost,
  type UpstreamState,
  type UpstreamUse,
  type UpstreamUser,
  compileText,
  ejectionText,
  parseDialAddress,
  stateOf,
} from '@sluice/http-app';
import type { AvailabilityRules, PassiveRules } from './availability-rules.ts';
import type { Outlier } from './outliers/outlier.ts';
import type { QueueTurn } from './queue/queue-turn.ts';
import type { UpstreamPace } from './slow-start.ts';

export interface UpstreamDetail extends UpstreamState {
  /** Configuration path of the proxy. */
  readonly where: string;
  /** True if the upstream may receive a request now. */
  readonly available: boolean;
  /** True unless active checks, failures or outlier detection mark it unhealthy. */
  readonly healthy: boolean;
  /** Result of active checks; `null` without them. */
  readonly active: 'healthy' | 'unhealthy' | null;
  /** Last active check; `null` without checks, and before the first check. */
  readonly last_check: HealthCheck | null;
  /** End of the current ejection by outlier detection (ISO 8601); `null` if it is not ejected. */
  readonly ejected_until: string | null;
  /** Number of failures that makes the upstream unavailable; 0 means disabled. */
  readonly max_fails: number;
  /** Maximum requests in flight; 0 means no limit. */
  readonly max_requests: number;
  /** Number of requests of this proxy: in flight, and in total. */
  readonly num_requests: number;
  readonly total_requests: number;
}

/** Counters of an upstream: per address, and for this proxy only. */
export interface UpstreamCounters {
  readonly host: UpstreamHost;
  /** Counts failures for passive health checks, if `host` does not. */
  readonly failures?: UpstreamHost;
  readonly use: UpstreamUse;
  /** `null` if slow start is disabled. */
  readonly pace: UpstreamPace | null;
}

/** Health of an upstream as one proxy determines it. */
export interface UpstreamHealth {
  /** Result of active checks; `null` if none are configured. */
  readonly active: HealthMark | null;
  /** `null` if outlier detection is disabled. */
  readonly outlier: Outlier | null;
}

/** Used in dry runs, which ignore limits because requests would wait for capacity. */
const simulatedTurn: QueueTurn = { isServing: true };

const countsNothing: PassiveRules = { failDuration: 0, unhealthyStatus: [], unhealthyLatency: 0 };

export class ProxyUpstream implements Upstream {
  readonly address: string;
  readonly host: UpstreamHost;
  /** `max_requests`, as configured. */
  readonly maxRequests: number;
  /** True while an upstream is selected for a request that already failed on this one, so that others are preferred. */
  avoided = false;
  readonly pace: UpstreamPace | null;
  readonly #failures: UpstreamHost;
  readonly #rules: AvailabilityRules;
  readonly #active: HealthMark | null;
  readonly #outlier: Outlier | null;
  /** Active checks and outlier detection; `null` if both are disabled. */
  readonly #health: { readonly healthy: boolean } | null;
  /** The circuit breaker, which also reports responses to outlier detection. */
  readonly #breaker: CircuitBreaker | null;
  readonly #use: UpstreamUse;
  /** The lower of the configured limits; 0 means no limit. */
  readonly #limit: number;
  /** Limit that selections use. */
  readonly #bound: number;
  readonly #dial: HttpTemplate;
  #lastText: string;
  #lastAddress: DialAddress | null = null;

  constructor(
    { host, failures = host, use, pace }: UpstreamCounters,
    maxRequests: number,
    rules: AvailabilityRules,
    { active, outlier }: UpstreamHealth,
  ) {
    this.address = host.address;
    this.host = host;
    this.#failures = failures;
    this.maxRequests = maxRequests;
    this.#rules = rules;
    this.pace = pace;
    this.#active = active;
    this.#outlier = outlier;
    this.#health = outlier === null ? active : outlier.over(active);
    this.#breaker = outlier === null ? rules.breaker : outlier.recorder(rules.breaker);
    this.#use = use;
    this.#limit =
      maxRequests > 0 && rules.maxRequests > 0
        ? Math.min(maxRequests, rules.maxRequests)
        : maxRequests || rules.maxRequests;
    this.#bound = rules.turn === simulatedTurn ? 0 : this.#limit;
    this.#dial = compileText(host.address, 'empty');
    this.#lastText = '';
  }

  /** Returns a read-only copy for dry runs. */
  readOnly(): ProxyUpstream {
    const counters = {
      host: this.host.readOnly(),
      failures: this.#failures.readOnly(),
      use: this.#use.readOnly(),
      pace: this.pace,
    };
    const { breaker } = this.#rules;
    const rules: AvailabilityRules = {
      ...this.#rules,
      turn: this.#rules.turn === null ? null : simulatedTurn,
      passive: countsNothing,
      breaker: breaker === null ? null : { ok: breaker.ok, record: () => {} },
    };
    const health = { active: this.#active, outlier: this.#outlier?.readOnly() ?? null };
    return new ProxyUpstream(counters, this.maxRequests, rules, health);
  }

  /** Reason why the upstream can't be selected, in a few words; `null` if it can. */
  get objection(): string | null {
    if (this.host.draining) return 'is drained';
    if (this.#active !== null && !this.#active.healthy) return 'active health checks fail';
    const ejection = this.#outlier?.ejection ?? null;
    if (ejection !== null) return `is ${ejectionText(ejection)}`;
    if (!this.healthy) return `has failed ${this.#failures.fails} times recently`;
    const breaker = this.#breaker;
    if (breaker !== null && !breaker.ok) return 'its circuit breaker is open';
    if (this.#bound > 0 && this.isFull) return `has reached its limit of ${this.requests} requests`;
    return this.avoided ? 'already failed for this request' : null;
  }

  get requests(): number {
    return this.host.requests;
  }

  /** True unless active checks, failures or outlier detection mark it unhealthy. */
  get healthy(): boolean {
    if (this.#health !== null && !this.#health.healthy) return false;
    const { maxFails } = this.#rules;
    return maxFails === 0 || this.#failures.fails < maxFails;
  }

  /** True if the upstream may receive requests, now or when others have completed. */
  get usable(): boolean {
    if (!this.healthy || this.host.draining) return false;
    const breaker = this.#breaker;
    return breaker === null || breaker.ok;
  }

  get available(): boolean {
    return !this.avoided && this.usable && this.hasPlace;
  }

  /** True if the upstream is below its limit. Waiting requests have precedence. */
  get hasPlace(): boolean {
    if (this.#bound === 0) return true;
    const { host } = this;
    if (host.requests >= this.#bound) return false;
    const { turn } = this.#rules;
    return turn === null || turn.isServing || host.waiters === null || host.waiters.count === 0;
  }

  /** Number of additional requests that the limit allows. */
  get freePlaces(): number {
    return this.#bound === 0 ? Number.POSITIVE_INFINITY : Math.max(0, this.#bound - this.host.requests);
  }

  /** True if the upstream is at its limit. */
  get isFull(): boolean {
    return this.#limit > 0 && this.requests >= this.#limit;
  }

  /** Counts a request as in flight. Returns false if another thread reached the limit first. */
  enter(): boolean {
    if (!this.host.enter(this.#bound)) return false;
    this.#use.enter();
    return true;
  }

  leave(): void {
    this.host.leave();
    this.#use.leave();
  }

  /** Time when active checks passed again or an ejection ended, in milliseconds since 1970; 0 if never. */
  get recoveredAt(): number {
    return Math.max(this.#active?.recoveredAt ?? 0, this.#outlier?.restoredAt ?? 0);
  }

  get user(): UpstreamUser {
    return this.#use.user;
  }

  get state(): UpstreamState {
    const { host } = this;
    const { maxFails, breaker } = this.#rules;
    return stateOf(
      {
        knownAt: this.#use.knownAt,
        failures: host.failures,
        respondedAt: host.respondedAt,
        active: this.#active,
        ejection: this.#outlier?.ejection ?? null,
        fails: host.fails,
        maxFails,
        failedAt: this.#use.failedAt,
        forgottenAt: host.forgottenAt,
        isBreakerOpen: breaker !== null && !breaker.ok,
      },
      Date.now(),
    );
  }

  /** Returns the upstream details. `where` is the configuration path of the proxy. */
  detail(where: string): UpstreamDetail {
    const ejection = this.#outlier?.ejection ?? null;
    return {
      where,
      ...this.state,
      available: this.available,
      healthy: this.healthy,
      active: this.#active === null ? null : this.#active.healthy ? 'healthy' : 'unhealthy',
      last_check: this.#active?.last ?? null,
      ejected_until: ejection === null ? null : new Date(ejection.until).toISOString(),
      max_fails: this.#rules.maxFails,
      max_requests: this.#limit,
      num_requests: this.#use.requests,
      total_requests: this.#use.total,
    };
  }

  /** Records a response and its time to first byte in milliseconds. */
  responded(status: number, latency: number): void {
    const { passive } = this.#rules;
    const breaker = this.#breaker;
    const { failDuration, unhealthyStatus, unhealthyLatency } = passive;
    this.host.noteLatency(latency);
    this.host.count(status, latency);
    breaker?.record(status, latency);
    if (failDuration === 0) return;
    for (const code of unhealthyStatus)
      if (code === status || code === Math.trunc(status / 100)) this.#fail('response');
    if (unhealthyLatency > 0 && latency >= unhealthyLatency) this.#fail('response');
  }

  /** Records that a request got no response. */
  failed({ status, kind }: UpstreamError, latency: number): void {
    const { passive } = this.#rules;
    const breaker = this.#breaker;
    this.host.count(0, latency);
    breaker?.record(status, latency);
    if (passive.failDuration > 0) this.#fail(kind);
    else this.host.noteFailure(kind);
  }

  /** Records a failure for passive health checks. */
  #fail(kind: FailureKind): void {
    const { maxFails, passive } = this.#rules;
    const wasHealthy = this.#failures.fails < maxFails;
    this.host.noteFailure(kind);
    this.#failures.fail(passive.failDuration);
    if (wasHealthy && this.#failures.fails >= maxFails) this.#use.noteFailed();
  }

  /** Returns the address to dial for a request. Throws an {@link UpstreamError} if the address is invalid. */
  dial(exchange: Exchange): DialAddress {
    const text = this.#dial.constant ?? this.#dial.filled(exchange);
    // An empty host would result in `:80`, which is a different address.
    if (text === null) throw new UpstreamError('dial', `a placeholder in the address ${this.address} has no value`);
    if (this.#lastAddress === null || text !== this.#lastText) {
      this.#lastAddress = parseDialAddress(text);
      this.#lastText = text;
    }
    return this.#lastAddress;
  }
}
