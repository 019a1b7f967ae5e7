/** Counter blocks of one thread. Looks up blocks by name, allocates new blocks and frees unused blocks. */
import { SluiceError, wordAt, floatAt } from '@sluice/base';
import { token, type Token } from '@sluice/registry';
import { inFlightNumber, maxName, numbersPerBlock, type Slab } from './block.ts';
import { bucketCount } from './buckets.ts';

/** Requests more memory. The memory may later be passed to {@link Tally.extend}. */
export type AskForSlab = () => void;

/** A counter block in use. Its numbers are `numbers[base + i]` and its buckets are `buckets[firstBucket + i]`. */
export class TallyBlock {
  readonly slab: Slab;
  readonly index: number;
  readonly numbers: Float64Array;
  readonly base: number;
  readonly buckets: Uint32Array;
  readonly firstBucket: number;
  name: string;

  constructor(slab: Slab, index: number, name: string) {
    this.slab = slab;
    this.index = index;
    this.numbers = slab.numbers;
    this.base = slab.numbersOf(index);
    this.buckets = slab.buckets;
    this.firstBucket = slab.bucketsOf(index);
    this.name = name;
  }

  number(i: number): number {
    return floatAt(this.numbers, this.base + i);
  }

  add(i: number, by: number): void {
    this.numbers[this.base + i] = floatAt(this.numbers, this.base + i) + by;
  }

  /** Adds `weight` observations to a bucket. If a bucket would overflow, all buckets are halved. */
  observe(bucket: number, weight: number): void {
    const { buckets, firstBucket } = this;
    const count = wordAt(buckets, firstBucket + bucket) + weight;
    if (count < 2 ** 32) buckets[firstBucket + bucket] = count;
    else for (let i = firstBucket; i < firstBucket + bucketCount; i++) buckets[i] = wordAt(buckets, i) >>> 1;
  }
}

/** Name of the reserve block. No other block can have this name, because it contains no labels. */
const reserveName = '-';

/** Manages the counter blocks of one thread. */
export class Tally {
  readonly #slabs: Slab[] = [];
  readonly #blocks = new Map<string, TallyBlock>();
  readonly #free: { readonly slab: Slab; readonly index: number }[] = [];
  readonly #ask: AskForSlab;
  #asked = false;
  /** Fallback block for counts that have no separate block because memory is exhausted. */
  readonly reserve: TallyBlock;

  /** `slabs` can contain blocks of a previous thread with the same number. The new thread continues their counts. */
  constructor(slabs: readonly Slab[], ask: AskForSlab) {
    this.#ask = ask;
    for (const slab of slabs) this.extend(slab);
    const reserve = this.acquire(reserveName);
    if (reserve === null) throw new SluiceError('ERR_CELLS_FULL', 'a tally requires at least one free block');
    this.reserve = reserve;
  }

  extend(slab: Slab): void {
    this.#asked = false;
    this.#slabs.push(slab);
    for (let index = slab.blocks - 1; index >= 0; index--) {
      slab.repair(index);
      const name = slab.nameOf(index);
      if (name === '') this.#free.push({ slab, index });
      else this.#blocks.set(name, new TallyBlock(slab, index, name));
    }
  }

  get size(): number {
    return this.#blocks.size;
  }

  blocks(): Iterable<TallyBlock> {
    return this.#blocks.values();
  }

  find(name: string): TallyBlock | null {
    return this.#blocks.get(name) ?? null;
  }

  /** Returns the block with the given name, and creates it if necessary. Returns `null` if memory is exhausted or the name is too long. */
  acquire(name: string): TallyBlock | null {
    const found = this.#blocks.get(name);
    if (found !== undefined) return found;
    if (Buffer.byteLength(name) > maxName) return null;
    if (this.#free.length <= this.#blocks.size / 2) this.#askForMore();
    const place = this.#free.pop();
    if (place === undefined) return null;
    place.slab.clear(place.index);
    place.slab.rename(place.index, name);
    const block = new TallyBlock(place.slab, place.index, name);
    this.#blocks.set(name, block);
    return block;
  }

  /** Renames a block. If another block already has the name, merges the two blocks. */
  rename(block: TallyBlock, name: string): void {
    const other = this.#blocks.get(name);
    this.#blocks.delete(block.name);
    if (other !== undefined) {
      this.#merge(block, other);
      return;
    }
    block.slab.rename(block.index, name);
    block.name = name;
    this.#blocks.set(name, block);
  }

  /** Moves the counts of one block to another and frees the first. Readers observe the move atomically. */
  #merge(block: TallyBlock, into: TallyBlock): void {
    into.slab.change(into.index, () => {
      for (let i = 0; i < numbersPerBlock; i++) into.add(i, block.number(i));
      for (let bucket = 0; bucket < bucketCount; bucket++) {
        const weight = wordAt(block.buckets, block.firstBucket + bucket);
        if (weight > 0) into.observe(bucket, weight);
      }
      this.#release(block.slab, block.index);
    });
  }

  #release(slab: Slab, index: number): void {
    slab.rename(index, '');
    this.#free.push({ slab, index });
  }

  #askForMore(): void {
    if (this.#asked) return;
    this.#asked = true;
    this.#ask();
  }
}

/** Reports whether a block has work in progress. */
export function isBusy(block: TallyBlock): boolean {
  return block.number(inFlightNumber) !== 0;
}

export const threadTallyToken: Token<Tally> = token('thread-tally');
