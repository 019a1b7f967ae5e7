/** Memory that all threads share, divided into blocks of 1 KiB. An object is a chain of blocks. */
import { lock, unlock } from '@sluice/threads';

const blockBytes = 1024;
/** Number of 32-bit words per block. */
export const blockWords: number = blockBytes / 4;

// Word offsets within each block. The word with the used mark never contains data, because the mark may be written after the block was
// freed.
const nextWord = 0;
export const usedWord = 1;
export const kindWord = 2;
/** Number of words before the data in a continuation block. */
const headWords = 3;
/** Number of words before the data in the first block of an object. */
const objectHeadWords = 10;

/** Block type: first block of a linked object. */
export const objectKind = 1;
/** Block type: any other block in use. Free blocks have type 0. */
const dataKind = 2;

// Word offsets within the header. Code that uses the blocks can use the remaining words.
const allocatorLock = 0;
const freeList = 1;
const firstUnused = 2;
const freeCount = 3;

export class Blocks {
  readonly words: Int32Array;
  readonly #bytes: Uint8Array;
  readonly #thread: number;
  readonly count: number;
  /** Number of the first block available for allocation. */
  readonly first: number;

  /** The first `headerBytes` bytes of the memory are reserved. */
  constructor(memory: SharedArrayBuffer, thread: number, headerBytes: number) {
    this.words = new Int32Array(memory);
    this.#bytes = new Uint8Array(memory);
    this.#thread = thread;
    this.count = Blocks.countOf(memory);
    this.first = Math.ceil(headerBytes / blockBytes);
  }

  static countOf(memory: SharedArrayBuffer): number {
    return Math.floor(memory.byteLength / blockBytes);
  }

  /** Number of bytes in blocks that are in use, and number of bytes in all blocks. */
  get usage(): { readonly used: number; readonly total: number } {
    const unused = Math.max(Atomics.load(this.words, firstUnused), this.first);
    return {
      used: (unused - this.first - Atomics.load(this.words, freeCount)) * blockBytes,
      total: (this.count - this.first) * blockBytes,
    };
  }

  /** Allocates a chain of blocks. Returns the first block, or 0 if there are too few free blocks. */
  take(count: number): number {
    const { words } = this;
    lock(words, allocatorLock, this.#thread);
    const unused = Math.max(words[firstUnused] as number, this.first);
    const first = (words[freeCount] as number) + this.count - unused >= count ? this.#take(count, unused) : 0;
    unlock(words, allocatorLock);
    return first;
  }

  free(at: number): void {
    const { words } = this;
    lock(words, allocatorLock, this.#thread);
    for (let block = at; block !== 0;) {
      const next = words[block + nextWord] as number;
      words[block + kindWord] = 0;
      words[block + nextWord] = words[freeList] as number;
      words[freeList] = block;
      words[freeCount] = (words[freeCount] as number) + 1;
      block = next;
    }
    unlock(words, allocatorLock);
  }

  /** Copies data from an object, starting at position `from`. */
  read(at: number, from: number, target: Uint8Array): void {
    let block = at;
    let skip = from;
    let start = at * 4 + objectHeadWords * 4;
    let room = blockBytes - objectHeadWords * 4;
    for (let done = 0; done < target.length;) {
      if (skip >= room) skip -= room;
      else {
        const count = Math.min(room - skip, target.length - done);
        target.set(this.#bytes.subarray(start + skip, start + skip + count), done);
        done += count;
        skip = 0;
      }
      block = this.words[block + nextWord] as number;
      start = (block + headWords) * 4;
      room = blockBytes - headWords * 4;
    }
  }

  write(at: number, parts: readonly Uint8Array[]): void {
    let block = at;
    let position = (at + objectHeadWords) * 4;
    let room = blockBytes - objectHeadWords * 4;
    for (const part of parts)
      for (let done = 0; done < part.length;) {
        if (room === 0) {
          block = this.words[block + nextWord] as number;
          position = (block + headWords) * 4;
          room = blockBytes - headWords * 4;
        }
        const count = Math.min(room, part.length - done);
        this.#bytes.set(part.subarray(done, done + count), position);
        done += count;
        position += count;
        room -= count;
      }
  }

  /** Allocates blocks. The caller must hold the allocator lock. */
  #take(count: number, unused: number): number {
    const { words } = this;
    let first = 0;
    let next = unused;
    for (let i = 0; i < count; i++) {
      let block = words[freeList] as number;
      if (block !== 0) {
        words[freeList] = words[block + nextWord] as number;
        words[freeCount] = (words[freeCount] as number) - 1;
      } else {
        block = next++ * blockWords;
        words[firstUnused] = next;
      }
      words[block + kindWord] = dataKind;
      words[block + nextWord] = first;
      first = block;
    }
    return first;
  }
}

/** Returns the number of blocks that an object of `length` bytes needs. */
export function blocksFor(length: number): number {
  const rest = length - (blockBytes - objectHeadWords * 4);
  return 1 + Math.max(0, Math.ceil(rest / (blockBytes - headWords * 4)));
}
