/** The blocks of one thread: finds them by name, makes more, and gives back those that are needed no more. */
import { SluiceError } from '@sluice/base';
import { token, type Token } from '@sluice/registry';
import { inFlightNumber, maxName, numbersPerBlock, type Slab } from './block.ts';
import { bucketCount } from './buckets.ts';

/** Asks for more memory; it comes by {@link Tally.extend}, or never. */
export type AskForSlab = () => void;

/** A block in use. Its numbers are `numbers[base + i]`, its buckets `buckets[firstBucket + i]`. */
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

  /** Number `i`. */
  number(i: number): number {
    return this.numbers[this.base + i] as number;
  }

  /** Adds to number `i`. */
  add(i: number, by: number): void {
    this.numbers[this.base + i] = (this.numbers[this.base + i] as number) + by;
  }

  /** Counts a value of the distribution so many times. A bucket that is full makes all of them half as large. */
  observe(bucket: number, weight: number): void {
    const { buckets, firstBucket } = this;
    const count = (buckets[firstBucket + bucket] as number) + weight;
    if (count < 2 ** 32) buckets[firstBucket + bucket] = count;
    else for (let i = firstBucket; i < firstBucket + bucketCount; i++) buckets[i] = (buckets[i] as number) >>> 1;
  }
}

/** Blocks of others do not have this name, as it says nothing. */
const reserveName = '-';

/** What one thread counts in. */
export class Tally {
  readonly #slabs: Slab[] = [];
  readonly #blocks = new Map<string, TallyBlock>();
  readonly #free: { readonly slab: Slab; readonly index: number }[] = [];
  readonly #ask: AskForSlab;
  #asked = false;
  /** Counts what has no other place, for want of memory. */
  readonly reserve: TallyBlock;

  /** `slabs` may have blocks of an earlier thread of the same number: this one goes on with them. */
  constructor(slabs: readonly Slab[], ask: AskForSlab) {
    this.#ask = ask;
    for (const slab of slabs) this.extend(slab);
    const reserve = this.acquire(reserveName);
    if (reserve === null) throw new SluiceError('ERR_CELLS_FULL', 'a tally needs a block to begin with');
    this.reserve = reserve;
  }

  /** Adds memory. */
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

  /** How many blocks are in use. */
  get size(): number {
    return this.#blocks.size;
  }

  /** Every block in use. */
  blocks(): Iterable<TallyBlock> {
    return this.#blocks.values();
  }

  /** The block of a name if it is there. */
  find(name: string): TallyBlock | null {
    return this.#blocks.get(name) ?? null;
  }

  /** The block of a name; `null` where there is none and memory is used up, or the name is too long. */
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

  /** Lets what was counted under one name be counted under another. */
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

  /** Adds what one block has to another, in one step for who reads, and gives it back. */
  #merge(block: TallyBlock, into: TallyBlock): void {
    into.slab.change(into.index, () => {
      for (let i = 0; i < numbersPerBlock; i++) into.add(i, block.number(i));
      for (let bucket = 0; bucket < bucketCount; bucket++) {
        const weight = block.buckets[block.firstBucket + bucket] as number;
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

/** Whether something in a block is not over. */
export function isBusy(block: TallyBlock): boolean {
  return block.number(inFlightNumber) !== 0;
}

/** The tally of a thread that serves: `context.find(threadTallyToken)`. */
export const threadTallyToken: Token<Tally> = token('thread-tally');
