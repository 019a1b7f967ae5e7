/** Exponential backoff for restarting threads. */

/** Times in milliseconds. */
export interface BackOffLimits {
  /** Delay before the second consecutive attempt; the first is immediate. Doubles with each further attempt. */
  readonly first: number;
  readonly max: number;
  /** Minimum lifetime of a healthy thread, after which the next restart counts as a first attempt. */
  readonly healthy: number;
}

const defaultLimits: BackOffLimits = { first: 200, max: 30_000, healthy: 60_000 };

/** Counts consecutive short-lived threads. */
export class BackOff {
  readonly #limits: BackOffLimits;
  #failures = 0;

  constructor(limits: BackOffLimits = defaultLimits) {
    this.#limits = limits;
  }

  /** Returns the delay after a thread that lived `lifetime` milliseconds. */
  next(lifetime: number): number {
    if (lifetime >= this.#limits.healthy) this.#failures = 0;
    const failures = this.#failures++;
    return failures === 0 ? 0 : Math.min(this.#limits.max, this.#limits.first * 2 ** (failures - 1));
  }
}
