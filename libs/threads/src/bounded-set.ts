/**
 * A growing set of strings in shared memory, with one limit for all threads. Threads add strings without locks: a string claims its slot
 * with one atomic exchange, and a thread that dies during this operation loses at most one slot.
 */
import { hash } from 'node:crypto';

/** Index of the number of members. */
const sizeAt = 0;
/** Byte offset of the slots, in a separate cache line. */
const placesAt = 64;

/** A set as seen by one thread. */
export class BoundedSet {
  readonly #limit: number;
  readonly #size: Int32Array;
  /** Fingerprints with open addressing; 0 means empty slot. */
  readonly #places: BigInt64Array;

  /** `memory` has {@link BoundedSet.bytesFor} bytes, initially zero, and is shared by all threads. */
  constructor(memory: SharedArrayBuffer, limit: number) {
    this.#limit = limit;
    this.#size = new Int32Array(memory, 0, 1);
    this.#places = new BigInt64Array(memory, placesAt);
  }

  /** Memory size of a set, in bytes. */
  static bytesFor(limit: number): number {
    return placesAt + 2 * limit * BigInt64Array.BYTES_PER_ELEMENT;
  }

  get size(): number {
    return Atomics.load(this.#size, sizeAt);
  }

  /** Adds a string. Returns true if the string is then a member, or false if the set is full. O(1). */
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
      // Increment the count first, so that the limit holds across threads.
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

/** Returns 64 bits of a cryptographic hash, so that clients cannot find collisions; never 0. */
function fingerprint(text: string): bigint {
  return hash('sha256', text, 'buffer').readBigInt64LE() || 1n;
}
