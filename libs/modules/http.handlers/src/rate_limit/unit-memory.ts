/**
 * Memory of one zone, divided into units of 64 bytes that all threads allocate and free. Units are addressed by number; 0 is never
 * allocated and means none.
 */
import { wordAt } from '@sluice/base';
import { lock, unlock } from '@sluice/threads';

/** Number of 32-bit words per unit. */
export const unitWords = 16;
const unitBytes = unitWords * 4;

// Words of the first unit.
const allocatorLock = 0;
const freeList = 1;
const firstUnused = 2;
const freeCount = 3;
/** First header word available to the user of the memory. */
export const headerWords = 8;

/** The units of a region, and a hash table of locks and list heads. */
export class UnitMemory {
  readonly words: Int32Array;
  readonly thread: number;
  /** Number of buckets, a power of two. */
  readonly buckets: number;
  readonly #units: number;
  readonly #firstUnit: number;

  constructor(memory: SharedArrayBuffer, thread: number) {
    this.words = new Int32Array(memory);
    this.thread = thread;
    this.#units = Math.floor(memory.byteLength / unitBytes);
    this.buckets = 2 ** Math.floor(Math.log2(Math.max(this.#units / 8, 8)));
    this.#firstUnit = 1 + Math.ceil((this.buckets * 2) / unitWords);
  }

  /** Acquires a bucket lock and returns the index of the word with the bucket's first unit. */
  enter(bucket: number): number {
    const at = unitWords + bucket * 2;
    lock(this.words, at, this.thread);
    return at + 1;
  }

  /** Releases the lock of a bucket. */
  leave(bucket: number): void {
    unlock(this.words, unitWords + bucket * 2);
  }

  /** Allocates a zeroed unit and returns its first word; 0 if memory is exhausted. */
  allocate(): number {
    const { words } = this;
    lock(words, allocatorLock, this.thread);
    let unit = wordAt(words, freeList);
    if (unit !== 0) {
      words[freeList] = wordAt(words, unit);
      words[freeCount] = wordAt(words, freeCount) - 1;
    } else {
      const unused = Math.max(wordAt(words, firstUnused), this.#firstUnit);
      if (unused < this.#units) {
        words[firstUnused] = unused + 1;
        unit = unused * unitWords;
      }
    }
    unlock(words, allocatorLock);
    if (unit !== 0) words.fill(0, unit, unit + unitWords);
    return unit;
  }

  free(unit: number): void {
    const { words } = this;
    lock(words, allocatorLock, this.thread);
    words[unit] = wordAt(words, freeList);
    words[freeList] = unit;
    words[freeCount] = wordAt(words, freeCount) + 1;
    unlock(words, allocatorLock);
  }

  /** Frees a list of units linked by their first words. */
  freeList(first: number): void {
    for (let unit = first; unit !== 0;) {
      const next = wordAt(this.words, unit);
      this.free(unit);
      unit = next;
    }
  }

  /** Bytes of units in use, and of all units. */
  get usage(): { readonly used: number; readonly total: number } {
    const unused = Math.max(Atomics.load(this.words, firstUnused), this.#firstUnit);
    const used = unused - this.#firstUnit - Atomics.load(this.words, freeCount);
    return { used: used * unitBytes, total: (this.#units - this.#firstUnit) * unitBytes };
  }
}
