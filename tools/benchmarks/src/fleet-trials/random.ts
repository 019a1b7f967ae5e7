/** Pseudorandom numbers from a seed (mulberry32). Even with the same seed, the timing of servers and of the system differs between runs. */

export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** Returns an integer from 0 (inclusive) to `bound` (exclusive). */
  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  /** Returns a number from `min` (inclusive) to `max` (exclusive). */
  between(min: number, max: number): number {
    return min + this.next() * (max - min);
  }

  any<T>(elements: readonly T[]): T {
    return elements[this.below(elements.length)] as T;
  }

  /** Returns an independent generator, seeded from this one. */
  fork(): Random {
    return new Random(this.below(2 ** 31));
  }
}
