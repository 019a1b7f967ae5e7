/** Budgets for what peers may waste: a number at once, and so many more each second. */

/** Counts what one peer does of a kind. */
class Budget {
  readonly #burst: number;
  readonly #perSecond: number;
  #left: number;
  #at: number = performance.now();

  constructor(burst: number, perSecond: number) {
    this.#burst = burst;
    this.#perSecond = perSecond;
    this.#left = burst;
  }

  /** Takes one. False: there was too much of it. */
  take(): boolean {
    if (--this.#left >= 0) return true;
    const now = performance.now();
    const earned = ((now - this.#at) / 1000) * this.#perSecond;
    this.#at = now;
    this.#left = Math.min(this.#burst, Math.floor(earned)) - 1;
    return this.#left >= 0;
  }

  /** Gives some back, as work was done for the peer. */
  earn(count: number): void {
    this.#left = Math.min(this.#burst, this.#left + count);
  }
}

/** What one client may waste before its connection ends. */
export class PeerBudgets {
  /** Streams that it resets, or that are refused. */
  readonly resets: Budget = new Budget(1000, 33);
  /** Streams that break the protocol, and have us reset what was begun for them. */
  readonly violations: Budget = new Budget(100, 10);
  /** Frames that bring nothing: settings, pings, empty data, priorities, and what streams get that are closed. */
  readonly idles: Budget = new Budget(10_000, 100);
}
