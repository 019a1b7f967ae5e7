/** Memory of one rate limit zone, divided into units of 64 bytes. Units are addressed by number, and 0 means no unit. */
import { wordAt } from '@sluice/base';
import { lock, unlock } from '@sluice/threads';

/** Number of 32-bit words per unit. */
export const unitWords = 16;
const unitBytes = unitWords * 4;

const allocatorLock = 0;
const freeList = 1;
const firstUnused = 2;
const freeCount = 3;
/** Index of the first header word available to code that uses this memory. */
export const headerWords = 8;

/** Units of a memory region, and a hash table with a lock and a list head per bucket. */
export class UnitMemory {
  readonly words: Int32Array;
  readonly thread: number;
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

  enter(bucket: number): number {
    const at = unitWords + bucket * 2;
    lock(this.words, at, this.thread);
    return at + 1;
  }

  leave(bucket: number): void {
    unlock(this.words, unitWords + bucket * 2);
  }

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

  freeList(first: number): void {
    for (let unit = first; unit !== 0;) {
      const next = wordAt(this.words, unit);
      this.free(unit);
      unit = next;
    }
  }

  /** Number of bytes in use, and total size in bytes. */
  get usage(): { readonly used: number; readonly total: number } {
    const unused = Math.max(Atomics.load(this.words, firstUnused), this.#firstUnit);
    const used = unused - this.#firstUnit - Atomics.load(this.words, freeCount);
    return { used: used * unitBytes, total: (this.#units - this.#firstUnit) * unitBytes };
  }
}
