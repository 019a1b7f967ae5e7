/** Budgets for what peers may waste: a number at once, and so many more each second. */

/** Counts what one peer does of a kind. */
export class Budget {
  readonly #burst: number;
  readonly #perSecond: number;
  #left: number;
  #at = 0;

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
