/** An upstream of one proxy: an address, and the rules by which this proxy finds it available. */
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
  parseDialAddress,
  stateOf,
} from '@sluice/http-app';

/** What there is to tell of an upstream of one proxy. Part of `GET /reverse_proxy/upstreams?detail`. */
export interface UpstreamDetail extends UpstreamState {
  /** Place of the proxy in the configuration. */
  readonly where: string;
  /** Whether it may get a request now. */
  readonly available: boolean;
  /** Whether neither active checks nor failures speak against it. */
  readonly healthy: boolean;
  /** What active checks say; `null` without them. */
  readonly active: 'healthy' | 'unhealthy' | null;
  /** The last of the active checks; `null` without them, and before the first one. */
  readonly last_check: HealthCheck | null;
  /** Failures that make it unavailable; 0: none does. */
  readonly max_fails: number;
  /** Requests in flight at which it is unavailable; 0: any number. */
  readonly max_requests: number;
  /** Requests of this proxy in flight, and so far. */
  readonly num_requests: number;
  readonly total_requests: number;
}

/** What counts as a failure of an upstream. */
export interface PassiveRules {
  /** Milliseconds for which a failure counts; 0: none does. */
  readonly failDuration: number;
  /** Statuses, and classes of them such as 5. */
  readonly unhealthyStatus: readonly number[];
  /** Milliseconds; 0: any latency will do. */
  readonly unhealthyLatency: number;
}

export interface AvailabilityRules {
  /** Failures that make an upstream unavailable; 0: none does. */
  readonly maxFails: number;
  /** Requests in flight at which an upstream is unavailable; 0: any number. */
  readonly maxRequests: number;
  readonly breaker: CircuitBreaker | null;
  readonly passive: PassiveRules;
}

/** Counters of an upstream: those of its address, and those of this proxy alone. */
export interface UpstreamCounters {
  readonly host: UpstreamHost;
  readonly use: UpstreamUse;
}

const countsNothing: PassiveRules = { failDuration: 0, unhealthyStatus: [], unhealthyLatency: 0 };

export class ProxyUpstream implements Upstream {
  readonly address: string;
  readonly host: UpstreamHost;
  /** `max_requests`, as configured. */
  readonly maxRequests: number;
  /** True while a request chooses that has failed with it before: another one is to be tried first. */
  avoided = false;
  readonly #rules: AvailabilityRules;
  readonly #health: HealthMark | null;
  readonly #use: UpstreamUse;
  /** The lower one of the limits that hold; 0 for none. */
  readonly #limit: number;
  readonly #dial: HttpTemplate;
  #lastText: string;
  #lastAddress: DialAddress | null = null;

  constructor(
    { host, use }: UpstreamCounters,
    maxRequests: number,
    rules: AvailabilityRules,
    health: HealthMark | null,
  ) {
    this.address = host.address;
    this.host = host;
    this.maxRequests = maxRequests;
    this.#rules = rules;
    this.#health = health;
    this.#use = use;
    this.#limit =
      maxRequests > 0 && rules.maxRequests > 0
        ? Math.min(maxRequests, rules.maxRequests)
        : maxRequests || rules.maxRequests;
    this.#dial = compileText(host.address, 'empty');
    this.#lastText = '';
  }

  /** The same upstream for rehearsals: it says what it is, and counts nothing. */
  readOnly(): ProxyUpstream {
    const counters = { host: this.host.readOnly(), use: this.#use.readOnly() };
    const { breaker } = this.#rules;
    const rules: AvailabilityRules = {
      ...this.#rules,
      passive: countsNothing,
      breaker: breaker === null ? null : { ok: breaker.ok, record: () => {} },
    };
    return new ProxyUpstream(counters, this.maxRequests, rules, this.#health);
  }

  /** Why it would not be chosen, in a few words; `null` where it may be. */
  get objection(): string | null {
    if (this.host.draining) return 'is drained';
    if (this.#health !== null && !this.#health.healthy) return 'active health checks fail';
    if (!this.healthy) return `has failed ${this.host.fails} times of late`;
    const { breaker } = this.#rules;
    if (breaker !== null && !breaker.ok) return 'its circuit breaker is open';
    if (this.#limit > 0 && this.requests >= this.#limit) return `has ${this.requests} requests, which is its limit`;
    return this.avoided ? 'this request has failed with it before' : null;
  }

  get requests(): number {
    return this.host.requests;
  }

  /** Whether neither active checks nor failures speak against it. */
  get healthy(): boolean {
    if (this.#health !== null && !this.#health.healthy) return false;
    const { maxFails } = this.#rules;
    return maxFails === 0 || this.host.fails < maxFails;
  }

  get available(): boolean {
    if (this.avoided || !this.healthy || this.host.draining) return false;
    const { breaker } = this.#rules;
    if (breaker !== null && !breaker.ok) return false;
    return this.#limit === 0 || this.host.requests < this.#limit;
  }

  /** Counts a request in; false if another thread was faster to reach the limit. */
  enter(): boolean {
    if (!this.host.enter(this.#limit)) return false;
    this.#use.enter();
    return true;
  }

  /** Counts a request out. */
  leave(): void {
    this.host.leave();
    this.#use.leave();
  }

  /** Whose it is. */
  get user(): UpstreamUser {
    return this.#use.user;
  }

  /** Its state now. */
  get state(): UpstreamState {
    const { host } = this;
    const { maxFails, breaker } = this.#rules;
    const health = this.#health;
    return stateOf(
      {
        knownAt: this.#use.knownAt,
        failures: host.failures,
        respondedAt: host.respondedAt,
        active: health,
        fails: host.fails,
        maxFails,
        failedAt: this.#use.failedAt,
        forgottenAt: host.forgottenAt,
        isBreakerOpen: breaker !== null && !breaker.ok,
      },
      Date.now(),
    );
  }

  /** What there is to tell of it; `where` is the place of its proxy. */
  detail(where: string): UpstreamDetail {
    return {
      where,
      ...this.state,
      available: this.available,
      healthy: this.healthy,
      active: this.#health === null ? null : this.#health.healthy ? 'healthy' : 'unhealthy',
      last_check: this.#health?.last ?? null,
      max_fails: this.#rules.maxFails,
      max_requests: this.#limit,
      num_requests: this.#use.requests,
      total_requests: this.#use.total,
    };
  }

  /** Notes a response, and how many milliseconds its head took. */
  responded(status: number, latency: number): void {
    const { breaker, passive } = this.#rules;
    const { failDuration, unhealthyStatus, unhealthyLatency } = passive;
    this.host.noteLatency(latency);
    this.host.count(status, latency);
    breaker?.record(status, latency);
    if (failDuration === 0) return;
    for (const code of unhealthyStatus)
      if (code === status || code === Math.trunc(status / 100)) this.#fail('response');
    if (unhealthyLatency > 0 && latency >= unhealthyLatency) this.#fail('response');
  }

  /** Notes that there was no response. */
  failed({ status, kind }: UpstreamError, latency: number): void {
    const { breaker, passive } = this.#rules;
    this.host.count(0, latency);
    breaker?.record(status, latency);
    if (passive.failDuration > 0) this.#fail(kind);
    else this.host.noteFailure(kind);
  }

  /** Notes a failure that passive health checks count. */
  #fail(kind: FailureKind): void {
    const { maxFails, passive } = this.#rules;
    const wasHealthy = this.host.fails < maxFails;
    this.host.noteFailure(kind);
    this.host.fail(passive.failDuration);
    if (wasHealthy && this.host.fails >= maxFails) this.#use.noteFailed();
  }

  /** Where to connect for a request. An {@link UpstreamError} if that cannot be dialed. */
  dial(exchange: Exchange): DialAddress {
    const text = this.#dial.constant ?? this.#dial.filled(exchange);
    // `:80` is another address than that of a host that no one has named.
    if (text === null) throw new UpstreamError('dial', `a placeholder in the address ${this.address} has no value`);
    if (this.#lastAddress === null || text !== this.#lastText) {
      this.#lastAddress = parseDialAddress(text);
      this.#lastText = text;
    }
    return this.#lastAddress;
  }
}
