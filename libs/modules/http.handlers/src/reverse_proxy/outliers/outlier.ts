/**
 * Errors and ejection state of one upstream of a proxy, in shared memory. Traffic threads count errors and eject the upstream after
 * consecutive errors. The control thread compares success rates and ends ejections; see {@link OutlierSweep}.
 */
import type { CircuitBreaker, UpstreamEjection } from '@sluice/http-app';
import { readOnlyCell, unusedCell, type SharedCell } from '@sluice/threads';

/** Indexes of the counters in the shared cell. */
const phase = 0;
const streak = 1;
const requests = 2;
const errors = 3;
const multiplier = 4;
const cause = 5;
const reported = 6;
/** Indexes of the numbers in the shared cell. Times are in milliseconds since the Unix epoch. */
const ejected = 0;
const until = 1;
const restored = 2;
const rate = 3;

/** Values of the counter `phase`. A claimed upstream is about to be ejected, but still receives requests. */
const inRotation = 0;
const claimed = 1;
const out = 2;

/** Values of `cause`. */
const consecutive = 1;
const lowRate = 2;

/** Resolved options of outlier detection. Times are in milliseconds. */
export interface OutlierRules {
  /** Number of consecutive errors after which an upstream is ejected. 0 disables this criterion. */
  readonly consecutiveErrors: number;
  readonly interval: number;
  readonly baseEjectionTime: number;
  readonly maxEjectionTime: number;
  readonly maxEjectionPercent: number;
  /** Factor for the standard deviation of success rates. 0 disables the comparison of success rates. */
  readonly stdevFactor: number;
  readonly minRequests: number;
  readonly minUpstreams: number;
}

export interface OutlierCounts {
  readonly requests: number;
  readonly errors: number;
}

/** Upstreams of one proxy that can be ejected. Each address occurs only once. */
export class OutlierPool {
  readonly rules: OutlierRules;
  /** Returns the current time, in milliseconds since the Unix epoch. */
  readonly now: () => number;
  readonly members: Outlier[] = [];
  readonly #byAddress = new Map<string, Outlier>();

  constructor(rules: OutlierRules, now: () => number = () => Date.now()) {
    this.rules = rules;
    this.now = now;
  }

  /** Returns the member for an address. Calls `cell` if it has to create the member. */
  member(address: string, cell: () => SharedCell): Outlier {
    const known = this.#byAddress.get(address);
    if (known !== undefined) return known;
    const member = new Outlier(address, cell(), this);
    this.#byAddress.set(address, member);
    this.members.push(member);
    return member;
  }

  /** Removes a member and its outlier detection state. */
  remove(address: string): void {
    const member = this.#byAddress.get(address);
    if (member === undefined) return;
    this.#byAddress.delete(address);
    this.members.splice(this.members.indexOf(member), 1);
    member.close();
  }

  /** Maximum number of ejected upstreams. It is at least 1 unless the configured share is 0, and always lower than the number of upstreams. */
  get maxEjected(): number {
    const size = this.members.length;
    const { maxEjectionPercent: percent } = this.rules;
    return percent === 0 ? 0 : Math.min(size - 1, Math.max(1, Math.floor((size * percent) / 100)));
  }

  /** True if the number of ejected and claimed members is within the limit. */
  get isWithinShare(): boolean {
    let taken = 0;
    for (const member of this.members) if (!member.isInRotation) taken++;
    return taken <= this.maxEjected;
  }
}

/** An upstream in an outlier detection pool. */
export class Outlier {
  readonly address: string;
  #cell: SharedCell;
  readonly #pool: OutlierPool;

  constructor(address: string, cell: SharedCell, pool: OutlierPool) {
    this.address = address;
    this.#cell = cell;
    this.#pool = pool;
  }

  /** Returns a read-only copy for dry runs. */
  readOnly(): Outlier {
    return new Outlier(this.address, readOnlyCell(this.#cell), this.#pool);
  }

  get isEjected(): boolean {
    return this.#cell.get(phase) === out;
  }

  get isClaimed(): boolean {
    return this.#cell.get(phase) === claimed;
  }

  get isInRotation(): boolean {
    return this.#cell.get(phase) === inRotation;
  }

  /** Number of recent ejections. The duration of the next ejection is proportional to this number. */
  get ejections(): number {
    return this.#cell.get(multiplier);
  }

  /** Time when the last ejection ended, in milliseconds since the Unix epoch. 0 if there was none. */
  get restoredAt(): number {
    return this.#cell.number(restored);
  }

  /** Current ejection, or `null` if the upstream is not ejected. */
  get ejection(): UpstreamEjection | null {
    const cell = this.#cell;
    if (!this.isEjected) return null;
    const { consecutiveErrors } = this.#pool.rules;
    const reason =
      cell.get(cause) === lowRate
        ? `success rate of ${(Math.round(cell.number(rate) * 1000) / 10).toFixed(1)} %`
        : `${consecutiveErrors} consecutive errors`;
    return { since: cell.number(ejected), until: cell.number(until), reason };
  }

  /** Combines active health checks and ejection in a single property, which the upstream selection reads. */
  over(active: { readonly healthy: boolean } | null): { readonly healthy: boolean } {
    const isEjected = (): boolean => this.isEjected;
    return {
      get healthy() {
        return !isEjected() && (active === null || active.healthy);
      },
    };
  }

  /** Returns an object that records responses both for outlier detection and in a circuit breaker. */
  recorder(breaker: CircuitBreaker | null): CircuitBreaker {
    return {
      get ok() {
        return breaker === null || breaker.ok;
      },
      record: (status, latency) => {
        breaker?.record(status, latency);
        this.record(status >= 500);
      },
    };
  }

  /** Records a response or a failed request. */
  record(isError: boolean): void {
    const cell = this.#cell;
    cell.add(requests, 1);
    if (!isError) {
      // Most responses follow a successful response. Reading first keeps the cache line shared between CPUs.
      if (cell.get(streak) !== 0) cell.set(streak, 0);
      return;
    }
    cell.add(errors, 1);
    const { rules, now } = this.#pool;
    if (cell.add(streak, 1) >= rules.consecutiveErrors && rules.consecutiveErrors > 0) this.#eject(consecutive, now());
  }

  /** Returns the counts since the previous call. */
  takeCounts(): OutlierCounts {
    const cell = this.#cell;
    const counts = { requests: cell.get(requests), errors: cell.get(errors) };
    cell.add(requests, -counts.requests);
    cell.add(errors, -counts.errors);
    return counts;
  }

  /** Ejects the upstream because of its success rate (0 to 1), if the limit of the pool allows this. */
  ejectForRate(successRate: number, now: number): boolean {
    if (!this.isInRotation) return false;
    this.#cell.setNumber(rate, successRate);
    return this.#eject(lowRate, now);
  }

  /**
   * Threads claim an upstream before they check the ejection limit, so two concurrent ejections can never exceed the limit. If both threads
   * give up, the next error triggers another attempt.
   */
  #eject(reason: number, now: number): boolean {
    const cell = this.#cell;
    if (cell.compareExchange(phase, inRotation, claimed) !== inRotation) return false;
    if (!this.#pool.isWithinShare) {
      cell.set(phase, inRotation);
      return false;
    }
    const { baseEjectionTime, maxEjectionTime } = this.#pool.rules;
    const time = Math.min(baseEjectionTime * cell.add(multiplier, 1), Math.max(baseEjectionTime, maxEjectionTime));
    cell.setNumber(ejected, now);
    cell.setNumber(until, now + time);
    cell.set(cause, reason);
    cell.set(reported, 0);
    cell.set(phase, out);
    return true;
  }

  /** Cancels the claim of a thread that has died. */
  unclaim(): void {
    this.#cell.compareExchange(phase, claimed, inRotation);
  }

  /** Reports whether the ejection has ended. If its end time is further in the future than the maximum duration, the clock was set back. */
  isOver(now: number): boolean {
    const { baseEjectionTime, maxEjectionTime } = this.#pool.rules;
    const end = this.#cell.number(until);
    return now >= end || end - now > Math.max(baseEjectionTime, maxEjectionTime);
  }

  /** Ends the ejection and resets the error counts. */
  restore(now: number): void {
    const cell = this.#cell;
    cell.set(streak, 0);
    this.takeCounts();
    cell.setNumber(restored, now);
    cell.set(phase, inRotation);
  }

  /** Shortens the next ejection. Called when the upstream was not ejected for a whole interval. */
  forgetEjection(): void {
    if (this.#cell.get(multiplier) > 0) this.#cell.add(multiplier, -1);
  }

  /** Releases the state. Requests in flight may still use the upstream, but they are no longer counted. */
  close(): void {
    this.#cell.release();
    this.#cell = unusedCell;
  }

  /** Returns true once per ejection, even if the configuration changes. This avoids duplicate reports. */
  claimReport(): boolean {
    return this.#cell.compareExchange(reported, 0, 1) === 0;
  }
}
