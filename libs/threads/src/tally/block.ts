/**
 * Blocks of counters in shared memory: one thread adds to a block, without atomic instructions, and the control thread
 * reads it whenever it wants to. What a thread has counted is there when it dies in the middle of anything.
 *
 * A block of 2 KiB has a name (UTF-8), 12 numbers and the buckets of one distribution. Pages of memory cost when they are
 * first used, and so many that are apart are.
 */
import { bucketCount } from './buckets.ts';

/** Floating-point numbers of a block, which are exact to 2^53. */
export const numbersPerBlock = 12;
/** The number that counts what has begun and is not over: it falls to 0 when the thread of the block dies. */
export const inFlightNumber = 8;
/** Bytes of a name. */
export const maxName = 280;
/** Bytes of a block. */
const blockBytes = 2048;

// Numbers, then version and length of the name, then the name, then the buckets.
const versionAt = numbersPerBlock * 8;
const lengthAt = versionAt + 4;
const nameAt = lengthAt + 4;
const bucketsAt = blockBytes - bucketCount * 4;

/** Some blocks in one piece of memory. */
export class Slab {
  readonly memory: SharedArrayBuffer;
  readonly blocks: number;
  readonly numbers: Float64Array;
  readonly buckets: Uint32Array;
  readonly #words: Int32Array;
  readonly #bytes: Uint8Array;

  constructor(memory: SharedArrayBuffer) {
    this.memory = memory;
    this.blocks = memory.byteLength / blockBytes;
    this.numbers = new Float64Array(memory);
    this.buckets = new Uint32Array(memory);
    this.#words = new Int32Array(memory);
    this.#bytes = new Uint8Array(memory);
  }

  /** Where the numbers of a block begin in {@link numbers}. */
  numbersOf(block: number): number {
    return (block * blockBytes) / 8;
  }

  /** Where its buckets begin in {@link buckets}. */
  bucketsOf(block: number): number {
    return (block * blockBytes + bucketsAt) / 4;
  }

  /** Grows with each change of the name; odd while one is under way. */
  versionOf(block: number): number {
    return Atomics.load(this.#words, (block * blockBytes + versionAt) / 4);
  }

  /** The name; empty for a block that is free. */
  nameOf(block: number): string {
    const start = block * blockBytes + nameAt;
    const length = Atomics.load(this.#words, (block * blockBytes + lengthAt) / 4);
    // Texts are not decoded from memory that others may change meanwhile.
    return length === 0 ? '' : Buffer.from(this.#bytes.slice(start, start + length)).toString();
  }

  /** Gives a block a name; empty: it is free. */
  rename(block: number, name: string): void {
    const length = (block * blockBytes + lengthAt) / 4;
    const bytes = Buffer.from(name);
    this.change(block, () => {
      // Without a name in between: a thread that dies here leaves a block that is free, not one of a name that no one gave.
      Atomics.store(this.#words, length, 0);
      this.#bytes.set(bytes, block * blockBytes + nameAt);
      Atomics.store(this.#words, length, bytes.length);
    });
  }

  /** Does what readers must not see half done. By the thread of the block alone. */
  change(block: number, change: () => void): void {
    const version = (block * blockBytes + versionAt) / 4;
    Atomics.store(this.#words, version, Atomics.load(this.#words, version) | 1);
    change();
    Atomics.add(this.#words, version, 1);
  }

  /** Lets a block be read that a thread was changing when it died. */
  repair(block: number): void {
    if (this.versionOf(block) % 2 !== 0) this.change(block, () => undefined);
  }

  /** Makes all numbers and buckets 0. */
  clear(block: number): void {
    const numbers = this.numbersOf(block);
    this.numbers.fill(0, numbers, numbers + numbersPerBlock);
    const buckets = this.bucketsOf(block);
    this.buckets.fill(0, buckets, buckets + bucketCount);
  }
}

/** Memory for so many blocks. */
export function allocateSlab(blocks: number): SharedArrayBuffer {
  return new SharedArrayBuffer(blocks * blockBytes);
}
