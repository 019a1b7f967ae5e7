/** Rate limits for wasteful client behavior. A budget allows a burst plus a number of events per second. */

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

  /** Takes one token from the budget. Returns false if the budget is exhausted. */
  take(): boolean {
    if (--this.#left >= 0) return true;
    const now = performance.now();
    const earned = ((now - this.#at) / 1000) * this.#perSecond;
    this.#at = now;
    this.#left = Math.min(this.#burst, Math.floor(earned)) - 1;
    return this.#left >= 0;
  }

  /** Adds tokens for useful work that the peer has requested. */
  earn(count: number): void {
    this.#left = Math.min(this.#burst, this.#left + count);
  }
}

/** Budgets of one client. The server closes the connection when a budget is exhausted. */
export class PeerBudgets {
  /** Budget for streams that the client resets or the server refuses. */
  readonly resets: Budget = new Budget(1000, 33);
  /** Budget for streams with protocol violations. The server has wasted work on these streams. */
  readonly violations: Budget = new Budget(100, 10);
  /** Budget for frames without effect: settings, pings, empty data, priorities, and frames on closed streams. */
  readonly idles: Budget = new Budget(10_000, 100);
}
