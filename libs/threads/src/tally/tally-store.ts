/** Counter blocks of all threads, as accessed by the control thread. */
import { wordAt, floatAt } from '@sluice/base';
import { token, type Token } from '@sluice/registry';
import { allocateSlab, inFlightNumber, numbersPerBlock, Slab } from './block.ts';
import { bucketCount } from './buckets.ts';

/** Number of blocks in a thread's first slab. Each additional slab has twice as many blocks, up to the maximum. */
const firstBlocks = 64;
const maxBlocksOfSlab = 4096;
/** Maximum number of blocks per thread. This many blocks take 32 MiB. */
const maxBlocks = 16_384;

/** A snapshot of a counter block. */
export interface TallyReading {
  readonly name: string;
  /** See {@link numbersPerBlock}. */
  readonly numbers: Float64Array;
  /** Adds the bucket counts of the block to `into`. */
  addBuckets(into: Float64Array): void;
}

/** Cache entry for a decoded block name. */
interface KnownName {
  version: number;
  name: string;
}

interface ThreadSlab {
  readonly slab: Slab;
  readonly names: KnownName[];
}

/** Allocates counter memory for threads and reads it. Keeps the memory after a thread has died. */
export class TallyStore {
  /** Time when counting started, in milliseconds since the Unix epoch. */
  readonly since: number = Date.now();
  /** Time when counting started, in milliseconds on the monotonic clock. */
  readonly clock: number = performance.now();
  readonly #threads = new Map<number, ThreadSlab[]>();
  #reaped = 0;

  /** Returns the memory for a new thread. It includes the counts of previous threads with the same number. */
  slabsOf(thread: number): readonly SharedArrayBuffer[] {
    const slabs = this.#threads.get(thread);
    if (slabs !== undefined) return slabs.map(({ slab }) => slab.memory);
    this.#add(thread, firstBlocks);
    return this.slabsOf(thread);
  }

  /** Allocates more memory for a thread. Returns `null` if the thread has reached the maximum. */
  grow(thread: number): SharedArrayBuffer | null {
    const slabs = this.#threads.get(thread) ?? [];
    const blocks = slabs.reduce((sum, { slab }) => sum + slab.blocks, 0);
    if (blocks >= maxBlocks) return null;
    return this.#add(thread, Math.min(Math.max(blocks, firstBlocks), maxBlocksOfSlab, maxBlocks - blocks));
  }

  /** Resets the in-flight counts of a dead thread. Must be called before the thread number is reused. */
  reap(thread: number): void {
    this.#reaped++;
    for (const { slab } of this.#threads.get(thread) ?? [])
      for (let block = 0; block < slab.blocks; block++) {
        slab.numbers[slab.numbersOf(block) + inFlightNumber] = 0;
        slab.repair(block);
      }
  }

  /** Number of threads that have died so far. */
  get reaped(): number {
    return this.#reaped;
  }

  /** Total counter memory of all threads, in bytes. */
  get bytes(): number {
    let bytes = 0;
    for (const slabs of this.#threads.values()) for (const { slab } of slabs) bytes += slab.memory.byteLength;
    return bytes;
  }

  /** Iterates over snapshots of all blocks, or only of blocks whose name `isWanted` accepts. */
  *read(isWanted?: (name: string) => boolean): IterableIterator<TallyReading> {
    for (const slabs of this.#threads.values())
      for (const { slab, names } of slabs)
        for (let block = 0; block < slab.blocks; block++) {
          const reading = readBlock(slab, block, names, isWanted);
          if (reading !== null) yield reading;
        }
  }

  #add(thread: number, blocks: number): SharedArrayBuffer {
    const slab = new Slab(allocateSlab(blocks));
    const slabs = this.#threads.get(thread) ?? [];
    slabs.push({ slab, names: [] });
    this.#threads.set(thread, slabs);
    return slab.memory;
  }
}

/** Maximum number of attempts to read a block that is being renamed. A rename takes microseconds. */
const attempts = 1000;

function readBlock(
  slab: Slab,
  block: number,
  names: KnownName[],
  isWanted?: (name: string) => boolean,
): TallyReading | null {
  const base = slab.numbersOf(block);
  for (let attempt = 0; attempt < attempts; attempt++) {
    const version = slab.versionOf(block);
    if (version === 0) return null;
    if (version % 2 !== 0) continue;
    const known = (names[block] ??= { version: -1, name: '' });
    const name = known.version === version ? known.name : slab.nameOf(block);
    if (isWanted?.(name) === false) return null;
    const numbers = slab.numbers.slice(base, base + numbersPerBlock);
    if (slab.versionOf(block) !== version) continue;
    names[block] = { version, name };
    return name === '' ? null : { name, numbers, addBuckets: (into) => addBuckets(slab, block, into) };
  }
  return null;
}

function addBuckets(slab: Slab, block: number, into: Float64Array): void {
  const first = slab.bucketsOf(block);
  for (let bucket = 0; bucket < bucketCount; bucket++)
    into[bucket] = floatAt(into, bucket) + wordAt(slab.buckets, first + bucket);
}

export const tallyStoreToken: Token<TallyStore> = token('tally-store');
