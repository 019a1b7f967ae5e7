/** An upstream of one reverse proxy: an address, and the proxy's rules for its availability. */
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
import type { UpstreamPace } from './upstream-pace.ts';

export interface UpstreamDetail extends UpstreamState {
  /** Path of the proxy in the configuration. */
  readonly where: string;
  /** True if the upstream can currently receive a request. */
  readonly available: boolean;
  /** True unless active health checks, failures or outlier detection mark the upstream as unhealthy. */
  readonly healthy: boolean;
  /** Result of active health checks, or `null` if there are none. */
  readonly active: 'healthy' | 'unhealthy' | null;
  /** Last active health check. `null` if there are no active health checks, or before the first health check. */
  readonly last_check: HealthCheck | null;
  /** End of the current ejection by outlier detection (ISO 8601). `null` if the upstream is not ejected. */
  readonly ejected_until: string | null;
  /** Number of failures after which the upstream is unavailable. 0 disables this rule. */
  readonly max_fails: number;
  /** Maximum number of requests in flight. 0 means no limit. */
  readonly max_requests: number;
  /** Number of requests from this proxy that are in flight, and total number of requests from this proxy. */
  readonly num_requests: number;
  readonly total_requests: number;
}

/** Counters of an upstream. Some are shared by all proxies that use the address, and others belong to this proxy. */
export interface UpstreamCounters {
  readonly host: UpstreamHost;
  /** Counts failures for passive health checks, if `host` does not count them. */
  readonly failures?: UpstreamHost;
  readonly use: UpstreamUse;
  /** Slow start state, or `null` if slow start is disabled. */
  readonly pace: UpstreamPace | null;
}

/** Health of an upstream, as determined by one proxy. */
export interface UpstreamHealth {
  /** Result of active health checks, or `null` if none are configured. */
  readonly active: HealthMark | null;
  /** Outlier detection state, or `null` if outlier detection is disabled. */
  readonly outlier: Outlier | null;
}

/** Queue state for dry runs. Dry runs ignore limits, because a real request would wait for capacity. */
const simulatedTurn: QueueTurn = { isServing: true };

const countsNothing: PassiveRules = { failDuration: 0, unhealthyStatus: [], unhealthyLatency: 0 };

export class ProxyUpstream implements Upstream {
  readonly address: string;
  readonly host: UpstreamHost;
  /** `max_requests`, as configured. */
  readonly maxRequests: number;
  /** True while the selection prefers other upstreams, because the request has already failed on this upstream. */
  avoided = false;
  readonly pace: UpstreamPace | null;
  readonly #failures: UpstreamHost;
  readonly #rules: AvailabilityRules;
  readonly #active: HealthMark | null;
  readonly #outlier: Outlier | null;
  /** Combined state of active health checks and outlier detection, or `null` if both are disabled. */
  readonly #health: { readonly healthy: boolean } | null;
  /** The circuit breaker. It also reports responses to outlier detection. */
  readonly #breaker: CircuitBreaker | null;
  readonly #use: UpstreamUse;
  /** The lowest configured limit. 0 means no limit. */
  readonly #limit: number;
  /** Limit that applies when an upstream is selected. */
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

  /** Short reason why the upstream can't be selected, or `null` if it can. */
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

  /** True unless active health checks, failures or outlier detection mark the upstream as unhealthy. */
  get healthy(): boolean {
    if (this.#health !== null && !this.#health.healthy) return false;
    const { maxFails } = this.#rules;
    return maxFails === 0 || this.#failures.fails < maxFails;
  }

  /** True if the upstream can receive requests, either immediately or after other requests have completed. */
  get usable(): boolean {
    if (!this.healthy || this.host.draining) return false;
    const breaker = this.#breaker;
    return breaker === null || breaker.ok;
  }

  get available(): boolean {
    return !this.avoided && this.usable && this.hasPlace;
  }

  /** True if the upstream is below its limit. Requests in the queue take precedence. */
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

  /** Counts a request as in flight. Returns false if another thread has reached the limit in the meantime. */
  enter(): boolean {
    if (!this.host.enter(this.#bound)) return false;
    this.#use.enter();
    return true;
  }

  leave(): void {
    this.host.leave();
    this.#use.leave();
  }

  /** Time of the last recovery from failed health checks or an ejection, in milliseconds since the Unix epoch. 0 if there was none. */
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

  /** Returns the details of the upstream for the admin API. `where` is the configuration path of the proxy. */
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

  /** Records a response and its time to first byte, in milliseconds. */
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

  /** Records that a request received no response. */
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

  /** Returns the address to connect to for a request. Throws an {@link UpstreamError} if the address is invalid. */
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
