/** Computes exponential backoff for restarting threads. */

/** Times in milliseconds. */
export interface BackOffLimits {
  /**
   * Delay before the second consecutive restart, in milliseconds. The first restart is immediate. The delay doubles with each further
   * restart.
   */
  readonly first: number;
  readonly max: number;
  /** Minimum lifetime for a thread to count as healthy. After a healthy thread exits, the backoff is reset. */
  readonly healthy: number;
}

const defaultLimits: BackOffLimits = { first: 200, max: 30_000, healthy: 60_000 };

/** Computes restart delays from the number of consecutive short-lived threads. */
export class BackOff {
  readonly #limits: BackOffLimits;
  #failures = 0;

  constructor(limits: BackOffLimits = defaultLimits) {
    this.#limits = limits;
  }

  /** Returns the restart delay after a thread that ran for `lifetime` milliseconds. */
  next(lifetime: number): number {
    if (lifetime >= this.#limits.healthy) this.#failures = 0;
    const failures = this.#failures++;
    return failures === 0 ? 0 : Math.min(this.#limits.max, this.#limits.first * 2 ** (failures - 1));
  }
}
