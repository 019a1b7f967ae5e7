/** How long to wait before a thread is started again. */

/** Times in milliseconds. */
export interface BackOffLimits {
  /** Before the second attempt in a row; the first is made at once. Doubled for each further one. */
  readonly first: number;
  readonly longest: number;
  /** A thread that lived so long was well: the next one is a first attempt again. */
  readonly healthy: number;
}

const usual: BackOffLimits = { first: 200, longest: 30_000, healthy: 60_000 };

/** Counts short lives in a row. */
export class BackOff {
  readonly #limits: BackOffLimits;
  #failures = 0;

  constructor(limits: BackOffLimits = usual) {
    this.#limits = limits;
  }

  /** The time to wait after a thread that lived `lifetime` milliseconds. */
  next(lifetime: number): number {
    if (lifetime >= this.#limits.healthy) this.#failures = 0;
    const failures = this.#failures++;
    return failures === 0 ? 0 : Math.min(this.#limits.longest, this.#limits.first * 2 ** (failures - 1));
  }
}
