/** The blocks of all threads, as the control thread keeps and reads them. */
import { token, type Token } from '@sluice/registry';
import { allocateSlab, inFlightNumber, numbersPerBlock, Slab } from './block.ts';
import { bucketCount } from './buckets.ts';

/** Blocks of the first slab of a thread; each further one has twice as many, up to the most. */
const firstBlocks = 64;
const maxBlocksOfSlab = 4096;
/** Blocks of one thread: 32 MiB. */
const maxBlocks = 16_384;

/** What a block had at one moment. */
export interface TallyReading {
  readonly name: string;
  /** See {@link numbersPerBlock}. */
  readonly numbers: Float64Array;
  /** Adds its buckets to others. */
  addBuckets(into: Float64Array): void;
}

/** Names of blocks are decoded once. */
interface KnownName {
  version: number;
  name: string;
}

interface ThreadSlab {
  readonly slab: Slab;
  readonly names: KnownName[];
}

/** Gives threads memory, keeps it when they die, and reads it. */
export class TallyStore {
  /** When counting began, in milliseconds since 1970. */
  readonly since: number = Date.now();
  /** The same moment by the monotonic clock, in milliseconds. */
  readonly clock: number = performance.now();
  readonly #threads = new Map<number, ThreadSlab[]>();
  #reaped = 0;

  /** The memory of a thread that starts, which has what an earlier one of its number has counted. */
  slabsOf(thread: number): readonly SharedArrayBuffer[] {
    const slabs = this.#threads.get(thread);
    if (slabs !== undefined) return slabs.map(({ slab }) => slab.memory);
    this.#add(thread, firstBlocks);
    return this.slabsOf(thread);
  }

  /** More memory for a thread; `null` when it has the most. */
  grow(thread: number): SharedArrayBuffer | null {
    const slabs = this.#threads.get(thread) ?? [];
    const blocks = slabs.reduce((sum, { slab }) => sum + slab.blocks, 0);
    if (blocks >= maxBlocks) return null;
    return this.#add(thread, Math.min(Math.max(blocks, firstBlocks), maxBlocksOfSlab, maxBlocks - blocks));
  }

  /** A thread is dead: nothing of it is in flight. Called before its number is used again. */
  reap(thread: number): void {
    this.#reaped++;
    for (const { slab } of this.#threads.get(thread) ?? [])
      for (let block = 0; block < slab.blocks; block++) {
        slab.numbers[slab.numbersOf(block) + inFlightNumber] = 0;
        slab.repair(block);
      }
  }

  /** How many threads have died. */
  get reaped(): number {
    return this.#reaped;
  }

  /** Bytes of memory that threads were given. */
  get bytes(): number {
    let bytes = 0;
    for (const slabs of this.#threads.values()) for (const { slab } of slabs) bytes += slab.memory.byteLength;
    return bytes;
  }

  /** What all blocks have now. */
  *read(): IterableIterator<TallyReading> {
    for (const slabs of this.#threads.values())
      for (const { slab, names } of slabs)
        for (let block = 0; block < slab.blocks; block++) {
          const reading = readBlock(slab, block, names);
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

/** How often a block is read again that is being renamed; that takes microseconds. */
const attempts = 1000;

function readBlock(slab: Slab, block: number, names: KnownName[]): TallyReading | null {
  const base = slab.numbersOf(block);
  for (let attempt = 0; attempt < attempts; attempt++) {
    const version = slab.versionOf(block);
    if (version === 0) return null;
    if (version % 2 !== 0) continue;
    const known = (names[block] ??= { version: -1, name: '' });
    const name = known.version === version ? known.name : slab.nameOf(block);
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
    into[bucket] = (into[bucket] as number) + (slab.buckets[first + bucket] as number);
}

/** The store of the control thread: `server.service(tallyStoreToken)`. */
export const tallyStoreToken: Token<TallyStore> = token('tally-store');
