/** A zone of `http.handlers.rate_limit` in one thread. */
import { hrtime } from 'node:process';
import { performance } from 'node:perf_hooks';
import { networkOf } from '@sluice/base';
import type { Exchange, HttpTemplate, MatcherSet } from '@sluice/http-app';
import type { BucketRange, KeyState, SlidingWindows, Taken, ZoneTotals } from './sliding-windows.ts';

/** Maximum length of a window, in milliseconds. The range of 32-bit times determines this limit. */
export const maxWindow = 24 * 24 * 3600 * 1000;

const [seconds, nanoseconds] = hrtime();
/** Difference between the system's monotonic clock and `performance.now()`, whose origin is different in each thread. */
const offset = seconds * 1000 + nanoseconds / 1e6 - performance.now();

/** Returns the time of a monotonic clock that all threads share, in milliseconds. The time is a 32-bit integer that wraps around. */
function sharedNow(): number {
  return Math.floor(performance.now() + offset) | 0;
}

export interface ZoneSettings {
  readonly name: string;
  readonly match: readonly MatcherSet[];
  readonly key: HttpTemplate;
  readonly window: number;
  readonly maxEvents: number;
  readonly ipv4Prefix: number;
  readonly ipv6Prefix: number;
  readonly rejectWhenFull: boolean;
}

/** Retry delay for clients that are rejected because the memory is full, in milliseconds. */
const waitWhenFull = 1000;

/** Number of buckets to sweep per event loop turn. */
const bucketsPerTurn = 8192;

export class Zone {
  readonly settings: ZoneSettings;
  /** Value for RateLimit-Policy. */
  readonly policy: string;
  readonly #windows: SlidingWindows;
  readonly #grouped: boolean;

  constructor(settings: ZoneSettings, windows: SlidingWindows) {
    this.settings = settings;
    this.policy = `${JSON.stringify(settings.name)};q=${settings.maxEvents};w=${Math.ceil(settings.window / 1000)}`;
    this.#windows = windows;
    this.#grouped = settings.ipv4Prefix > 0 || settings.ipv6Prefix > 0;
  }

  keyOf(exchange: Exchange): string {
    const key = this.settings.key.expand(exchange);
    if (!this.#grouped) return key;
    const { ipv4Prefix, ipv6Prefix } = this.settings;
    // If the key is not an IP address, it is returned unchanged.
    return networkOf(key, ipv4Prefix === 0 ? 32 : ipv4Prefix, ipv6Prefix === 0 ? 128 : ipv6Prefix);
  }

  take(key: string): Taken {
    const taken = this.#windows.take(key, sharedNow(), this.settings.window, this.settings.maxEvents);
    if (taken.full && this.settings.rejectWhenFull) taken.wait = waitWhenFull;
    return taken;
  }

  get totals(): ZoneTotals {
    return this.#windows.totals;
  }

  /** Removes idle keys. Processes a limited number of buckets per event loop turn. Resolves after all buckets have been visited. */
  async sweep(signal: AbortSignal): Promise<void> {
    if (this.totals.keys === 0) return;
    await this.#inTurns(signal, (range) => this.#windows.sweep(range, sharedNow(), this.settings.window));
  }

  /** Returns at most `limit` keys whose text contains `search`. */
  async keys(search: string, limit: number): Promise<readonly KeyState[]> {
    const found: KeyState[] = [];
    await this.#inTurns(null, (range) => {
      if (found.length < limit)
        this.#windows.visit(range, sharedNow(), this.settings.window, (state) => {
          if (found.length < limit && state.key.includes(search)) found.push(state);
        });
    });
    return found;
  }

  /** Returns the event counts by key, for other servers. */
  async counts(): Promise<Record<string, readonly number[]>> {
    const all: Record<string, readonly number[]> = Object.create(null) as Record<string, readonly number[]>;
    await this.#inTurns(null, (range) =>
      this.#windows.visitCounts(range, sharedNow(), this.settings.window, (key, counts) => {
        all[key] = counts;
      }),
    );
    return all;
  }

  /** Sets the event counts of other servers. `age` is the time since they were written, in milliseconds. */
  setRemote(key: string, counts: ArrayLike<number>, age: number): void {
    this.#windows.setRemote(key, (sharedNow() - age) | 0, counts);
  }

  /** Clears the events and the custom limit of a key. Returns false if the key has no entry. */
  reset(key: string): boolean {
    return this.#windows.reset(key);
  }

  setLimit(key: string, limit: number): void {
    this.#windows.setLimit(key, limit, sharedNow());
  }

  async #inTurns(signal: AbortSignal | null, visit: (range: BucketRange) => void): Promise<void> {
    const { buckets } = this.#windows;
    for (let from = 0; from < buckets && signal?.aborted !== true; from += bucketsPerTurn) {
      visit([from, Math.min(buckets, from + bucketsPerTurn)]);
      if (from + bucketsPerTurn < buckets) await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
