/** Pseudorandom number generator. The same seed yields the same sequence on every machine. */

export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns a number in the range [0, 1) (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns a random integer from `min` to `max`, inclusive. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** Returns a random element. */
  pick<T>(from: readonly T[]): T {
    return from[this.integer(0, from.length - 1)] as T;
  }

  /** Returns up to `max` distinct random elements in their original order. */
  some<T>(from: readonly T[], max: number): T[] {
    const chosen = new Set<number>();
    for (let left = this.integer(0, max); left > 0; left--) chosen.add(this.integer(0, from.length - 1));
    return from.filter((_, index) => chosen.has(index));
  }
}
