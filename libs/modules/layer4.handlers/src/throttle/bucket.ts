/** A token bucket. */

/** Tokens are bytes. */
export class Bucket {
  readonly burst: number;
  readonly #rate: number;
  #tokens: number;
  #filledAt = performance.now();

  /** `rate` is in bytes per second. `burst` is the size of the token bucket in bytes. The bucket is initially full. */
  constructor(rate: number, burst: number) {
    this.#rate = rate;
    this.burst = burst;
    this.#tokens = burst;
  }

  /** Consumes tokens, possibly more than are available. Returns the time until the balance is positive again, in milliseconds. */
  take(bytes: number): number {
    const now = performance.now();
    this.#tokens = Math.min(this.burst, this.#tokens + ((now - this.#filledAt) * this.#rate) / 1000);
    this.#filledAt = now;
    this.#tokens -= bytes;
    return this.#tokens >= 0 ? 0 : (-this.#tokens * 1000) / this.#rate;
  }
}
