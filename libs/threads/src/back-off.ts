/** Exponential backoff for restarting threads. */

/** Times in milliseconds. */
export interface BackOffLimits {
  /** Delay before the second consecutive attempt; the first is immediate. Doubles with each further attempt. */
  readonly first: number;
  readonly longest: number;
  /** A thread that lived this long counts as healthy, so the next restart is a first attempt again. */
  readonly healthy: number;
}

const usual: BackOffLimits = { first: 200, longest: 30_000, healthy: 60_000 };

/** Counts consecutive short-lived threads. */
export class BackOff {
  readonly #limits: BackOffLimits;
  #failures = 0;

  constructor(limits: BackOffLimits = usual) {
    this.#limits = limits;
  }

  /** Returns the delay after a thread that lived `lifetime` milliseconds. */
  next(lifetime: number): number {
    if (lifetime >= this.#limits.healthy) this.#failures = 0;
    const failures = this.#failures++;
    return failures === 0 ? 0 : Math.min(this.#limits.longest, this.#limits.first * 2 ** (failures - 1));
  }
}
