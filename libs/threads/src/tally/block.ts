/**
 * Counter blocks in shared memory. One thread writes to a block without atomic instructions, and the control thread reads the block at any
 * time. Counts survive the death of the thread at any point.
 *
 * A block of 2 KiB contains a name (UTF-8), 12 numbers and the buckets of one distribution. These parts are on separate pages, which are
 * committed on first use.
 */
import { bucketCount } from './buckets.ts';

/** Floating-point numbers per block; exact up to 2^53. */
export const numbersPerBlock = 12;
/** Index of the number that counts unfinished work. Reset to 0 when the thread of the block dies. */
export const inFlightNumber = 8;
/** Maximum length of a name in bytes. */
export const maxName = 280;
/** Size of a block in bytes. */
const blockBytes = 2048;

// Layout: numbers, version and length of the name, name, buckets.
const versionAt = numbersPerBlock * 8;
const lengthAt = versionAt + 4;
const nameAt = lengthAt + 4;
const bucketsAt = blockBytes - bucketCount * 4;

/** Several blocks in one shared buffer. */
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

  /** Index in {@link numbers} of a block's first number. */
  numbersOf(block: number): number {
    return (block * blockBytes) / 8;
  }

  /** Index in {@link buckets} of a block's first bucket. */
  bucketsOf(block: number): number {
    return (block * blockBytes + bucketsAt) / 4;
  }

  /** Changes with each rename; odd while a change is in progress. */
  versionOf(block: number): number {
    return Atomics.load(this.#words, (block * blockBytes + versionAt) / 4);
  }

  /** Returns the name; empty for a free block. */
  nameOf(block: number): string {
    const start = block * blockBytes + nameAt;
    const length = Atomics.load(this.#words, (block * blockBytes + lengthAt) / 4);
    // TextDecoder requires memory that other threads cannot modify.
    return length === 0 ? '' : Buffer.from(this.#bytes.slice(start, start + length)).toString();
  }

  /** Names a block; an empty name frees it. */
  rename(block: number, name: string): void {
    const length = (block * blockBytes + lengthAt) / 4;
    const bytes = Buffer.from(name);
    this.change(block, () => {
      // The name is empty between the two writes. If the thread dies here, the block is free instead of having a
      // corrupt name.
      Atomics.store(this.#words, length, 0);
      this.#bytes.set(bytes, block * blockBytes + nameAt);
      Atomics.store(this.#words, length, bytes.length);
    });
  }

  /** Runs a change that readers must see as a whole. Only the thread that owns the block may call this method. */
  change(block: number, change: () => void): void {
    const version = (block * blockBytes + versionAt) / 4;
    Atomics.store(this.#words, version, Atomics.load(this.#words, version) | 1);
    change();
    Atomics.add(this.#words, version, 1);
  }

  /** Makes a block readable whose thread died during a change. */
  repair(block: number): void {
    if (this.versionOf(block) % 2 !== 0) this.change(block, () => undefined);
  }

  /** Zeroes all numbers and buckets. */
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
