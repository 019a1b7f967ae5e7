/**
 * Counter blocks in shared memory. One thread writes to a block without atomic instructions, and the control thread can read the block at
 * any time. The counts remain valid if the thread dies at any point.
 *
 * A block is 2 KiB and contains a UTF-8 name, 12 numbers and the buckets of one distribution. Names, numbers and buckets are on separate
 * pages, which are committed on first use.
 */
import { bucketCount } from './buckets.ts';

/** Number of floating-point numbers per block. Counts are exact up to 2^53. */
export const numbersPerBlock = 12;
/** Index of the number that counts work in progress. It is reset to 0 when the thread that owns the block dies. */
export const inFlightNumber = 8;
/** Maximum length of a block name, in bytes. */
export const maxName = 280;
/** Size of a counter block, in bytes. */
const blockBytes = 2048;

// Memory layout: numbers, version and length of the name, name, buckets.
const versionAt = numbersPerBlock * 8;
const lengthAt = versionAt + 4;
const nameAt = lengthAt + 4;
const bucketsAt = blockBytes - bucketCount * 4;

/** A shared buffer that contains several counter blocks. */
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

  /** Returns the index of a block's first number in {@link numbers}. */
  numbersOf(block: number): number {
    return (block * blockBytes) / 8;
  }

  /** Returns the index of a block's first bucket in {@link buckets}. */
  bucketsOf(block: number): number {
    return (block * blockBytes + bucketsAt) / 4;
  }

  /** Returns the version of a block, which changes with each rename. An odd version means that a change is in progress. */
  versionOf(block: number): number {
    return Atomics.load(this.#words, (block * blockBytes + versionAt) / 4);
  }

  /** Returns the name of a block. A free block has an empty name. */
  nameOf(block: number): string {
    const start = block * blockBytes + nameAt;
    const length = Atomics.load(this.#words, (block * blockBytes + lengthAt) / 4);
    // Copy the bytes, because TextDecoder does not accept memory that other threads can modify.
    return length === 0 ? '' : Buffer.from(this.#bytes.slice(start, start + length)).toString();
  }

  /** Sets the name of a block. An empty name frees the block. */
  rename(block: number, name: string): void {
    const length = (block * blockBytes + lengthAt) / 4;
    const bytes = Buffer.from(name);
    this.change(block, () => {
      // Between the two writes, the name is empty. If the thread dies at this point, the block is free and its name is not corrupt.
      Atomics.store(this.#words, length, 0);
      this.#bytes.set(bytes, block * blockBytes + nameAt);
      Atomics.store(this.#words, length, bytes.length);
    });
  }

  /** Runs a change that readers must observe atomically. Only the thread that owns the block may call this method. */
  change(block: number, change: () => void): void {
    const version = (block * blockBytes + versionAt) / 4;
    Atomics.store(this.#words, version, Atomics.load(this.#words, version) | 1);
    change();
    Atomics.add(this.#words, version, 1);
  }

  /** Repairs a block whose thread died during a change, so that readers can access it again. */
  repair(block: number): void {
    if (this.versionOf(block) % 2 !== 0) this.change(block, () => undefined);
  }

  /** Zeroes all numbers and buckets of a block. */
  clear(block: number): void {
    const numbers = this.numbersOf(block);
    this.numbers.fill(0, numbers, numbers + numbersPerBlock);
    const buckets = this.bucketsOf(block);
    this.buckets.fill(0, buckets, buckets + bucketCount);
  }
}

export function allocateSlab(blocks: number): SharedArrayBuffer {
  return new SharedArrayBuffer(blocks * blockBytes);
}
