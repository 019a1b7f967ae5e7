/**
 * A set of strings in shared memory that only grows, up to a limit that holds for all threads together. Threads add without
 * locks: a member takes a place by one atomic exchange, and a thread that is ended in the middle loses at most one place.
 */
import { hash } from 'node:crypto';

/** Index of the number of members. */
const sizeAt = 0;
/** The places follow in a cache line of their own. */
const placesAt = 64;

/** The set as one thread sees it. */
export class BoundedSet {
  readonly #limit: number;
  readonly #size: Int32Array;
  /** Fingerprints by open addressing; 0 is an empty place. */
  readonly #places: BigInt64Array;

  /** `memory` has {@link BoundedSet.bytesFor} bytes, zeroed, and is the same in all threads. */
  constructor(memory: SharedArrayBuffer, limit: number) {
    this.#limit = limit;
    this.#size = new Int32Array(memory, 0, 1);
    this.#places = new BigInt64Array(memory, placesAt);
  }

  /** Size of the memory of a set. */
  static bytesFor(limit: number): number {
    return placesAt + 2 * limit * BigInt64Array.BYTES_PER_ELEMENT;
  }

  /** Number of members. */
  get size(): number {
    return Atomics.load(this.#size, sizeAt);
  }

  /** Adds a string, and reports whether it is a member now: not if the set is full. O(1). */
  add(text: string): boolean {
    const places = this.#places;
    const print = fingerprint(text);
    let at = Number(BigInt.asUintN(32, print)) % places.length;
    for (;;) {
      const found = Atomics.load(places, at);
      if (found === print) return true;
      if (found !== 0n) {
        at = (at + 1) % places.length;
        continue;
      }
      // The place in the count is taken first: the limit holds whatever the other threads do meanwhile.
      if (Atomics.add(this.#size, sizeAt, 1) >= this.#limit) {
        Atomics.sub(this.#size, sizeAt, 1);
        return false;
      }
      const before = Atomics.compareExchange(places, at, 0n, print);
      if (before === 0n) return true;
      Atomics.sub(this.#size, sizeAt, 1);
      if (before === print) return true;
    }
  }
}

/** 64 bits of a hash for which clients cannot find two strings with the same bits; not 0. */
function fingerprint(text: string): bigint {
  return hash('sha256', text, 'buffer').readBigInt64LE() || 1n;
}
