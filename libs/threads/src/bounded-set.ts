/**
 * A grow-only set of strings in shared memory, with one size limit for all threads. Adding a string needs no lock: it claims a slot with
 * one atomic exchange. A thread that dies while adding a string loses at most one slot.
 */
import { hash } from 'node:crypto';

/** Index of the member count. */
const sizeAt = 0;
/** Byte offset of the slots, which start in a separate cache line. */
const placesAt = 64;

/** One thread's view of a shared set. */
export class BoundedSet {
  readonly #limit: number;
  readonly #size: Int32Array;
  /** Hash table of fingerprints with open addressing. 0 marks an empty slot. */
  readonly #places: BigInt64Array;

  /** `memory` must have {@link BoundedSet.bytesFor} bytes, be initially zero, and be shared by all threads. */
  constructor(memory: SharedArrayBuffer, limit: number) {
    this.#limit = limit;
    this.#size = new Int32Array(memory, 0, 1);
    this.#places = new BigInt64Array(memory, placesAt);
  }

  /** Returns the number of bytes of memory that a set with the given limit requires. */
  static bytesFor(limit: number): number {
    return placesAt + 2 * limit * BigInt64Array.BYTES_PER_ELEMENT;
  }

  get size(): number {
    return Atomics.load(this.#size, sizeAt);
  }

  /** Adds a string in O(1). Returns true if the string was added or is already a member. Returns false if the set is full. */
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
      // Increment the count before claiming a slot, so that the limit holds across threads.
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

/** Returns a 64-bit cryptographic hash, which is never 0. A cryptographic hash prevents clients from finding collisions. */
function fingerprint(text: string): bigint {
  return hash('sha256', text, 'buffer').readBigInt64LE() || 1n;
}
