/** Index of a disk store, kept in memory that all threads share. Each response takes 64 bytes. Entries are looked up by key hash. */
import { headerWords, unitWords, UnitMemory } from '../../rate_limit/unit-memory.ts';
import { randomInt } from 'node:crypto';
import { hashKey, type KeyHash } from '../store/block-memory.ts';

// Word offsets within an index entry. Word 0 links the entries of a bucket.
const hashWord = 1;
const secondHashWord = 2;
const segmentWord = 3;
const offsetWord = 4;
const lengthWord = 5;
const varyWord = 6;
/** Word that is set to 1 once the record has been written. */
const readyWord = 7;

// Word offsets within the index header.
const nextSegmentWord = headerWords;
/** Word with the number of the oldest segment. Segments with lower numbers are deleted. */
const firstSegmentWord = headerWords + 1;
/** Word that is set to 1 once all segments have been read. */
const loadedWord = headerWords + 2;
const entriesWord = headerWords + 3;
/** Word with the next sequence number, a 64-bit integer. */
const sequenceWord = headerWords + 4;
/** Word with the total size of all segments, in units of 1 KiB. */
const sizeWord = headerWords + 6;
const seedWord = headerWords + 7;

export interface RecordPlace {
  readonly segment: number;
  readonly offset: number;
  readonly length: number;
  readonly vary: number;
}

/** An index entry. It is marked as ready after its record has been written. */
export interface IndexEntry {
  readonly at: number;
  readonly hash: KeyHash;
  readonly place: RecordPlace;
}

export class DiskIndex {
  readonly #memory: UnitMemory;
  readonly #words: Int32Array;
  readonly #sequence: BigInt64Array;
  readonly #seed: number;

  constructor(memory: SharedArrayBuffer, thread: number) {
    this.#memory = new UnitMemory(memory, thread);
    this.#words = this.#memory.words;
    this.#sequence = new BigInt64Array(memory, sequenceWord * 4, 1);
    Atomics.compareExchange(this.#words, seedWord, 0, randomInt(1, 2 ** 31));
    this.#seed = Atomics.load(this.#words, seedWord);
  }

  hashOf(key: string): KeyHash {
    return hashKey(key, this.#seed);
  }

  get entries(): number {
    return Atomics.load(this.#words, entriesWord);
  }

  get isLoaded(): boolean {
    return Atomics.load(this.#words, loadedWord) === 1;
  }

  get firstSegment(): number {
    return Atomics.load(this.#words, firstSegmentWord);
  }

  /** Approximate size of all segments, in bytes. */
  get size(): number {
    return Atomics.load(this.#words, sizeWord) * 1024;
  }

  set size(bytes: number) {
    Atomics.store(this.#words, sizeWord, Math.ceil(bytes / 1024));
  }

  addSize(bytes: number): void {
    Atomics.add(this.#words, sizeWord, Math.ceil(bytes / 1024));
  }

  /** Sets the state of the index after all segments have been read. */
  setLoaded(firstSegment: number, nextSegment: number, sequence: bigint): void {
    Atomics.store(this.#words, firstSegmentWord, firstSegment);
    Atomics.store(this.#words, nextSegmentWord, nextSegment);
    Atomics.store(this.#sequence, 0, sequence);
    Atomics.store(this.#words, loadedWord, 1);
  }

  takeSegmentNumber(): number {
    return Atomics.add(this.#words, nextSegmentWord, 1);
  }

  get nextSegment(): number {
    return Atomics.load(this.#words, nextSegmentWord);
  }

  takeSequence(): bigint {
    return Atomics.add(this.#sequence, 0, 1n);
  }

  /** Drops the oldest segment from the index. Returns false if another thread has already done so. */
  dropSegment(segment: number): boolean {
    return Atomics.compareExchange(this.#words, firstSegmentWord, segment, segment + 1) === segment;
  }

  /** Returns the locations of all records with the given hash, newest first. */
  find(hash: KeyHash): RecordPlace[] {
    const words = this.#words;
    const bucket = this.#bucketOf(hash);
    const found: RecordPlace[] = [];
    const first = this.firstSegment;
    const head = this.#memory.enter(bucket);
    for (let entry = words[head] as number; entry !== 0; entry = words[entry] as number)
      if (this.#has(entry, hash) && words[entry + readyWord] === 1 && (words[entry + segmentWord] as number) >= first)
        found.push(this.#placeOf(entry));
    this.#memory.leave(bucket);
    return found;
  }

  /** Adds an entry, and removes the entries that it replaces. Returns `null` if there is not enough space. */
  add(hash: KeyHash, place: RecordPlace, isReady: boolean): IndexEntry | null {
    const words = this.#words;
    const entry = this.#memory.allocate();
    if (entry === 0) return null;
    words[entry + hashWord] = hash.first;
    words[entry + secondHashWord] = hash.second;
    words[entry + segmentWord] = place.segment;
    words[entry + offsetWord] = place.offset;
    words[entry + lengthWord] = place.length;
    words[entry + varyWord] = place.vary;
    words[entry + readyWord] = isReady ? 1 : 0;
    const bucket = this.#bucketOf(hash);
    const head = this.#memory.enter(bucket);
    this.#removeWhere(head, (each) => this.#has(each, hash) && this.#isReplaced(each, place.vary));
    words[entry] = words[head] as number;
    words[head] = entry;
    this.#memory.leave(bucket);
    Atomics.add(words, entriesWord, 1);
    return { at: entry, hash, place };
  }

  /** Marks an entry as ready, unless it has been removed in the meantime. */
  setReady({ at, hash, place }: IndexEntry): void {
    const bucket = this.#bucketOf(hash);
    const head = this.#memory.enter(bucket);
    for (let entry = this.#words[head] as number; entry !== 0; entry = this.#words[entry] as number)
      if (entry === at && this.#isAt(entry, place)) this.#words[entry + readyWord] = 1;
    this.#memory.leave(bucket);
  }

  /** Removes all entries with the given hash. Returns the number of removed entries. */
  removeAll(hash: KeyHash): number {
    return this.#remove(hash, (entry) => this.#has(entry, hash));
  }

  remove(hash: KeyHash, place: RecordPlace): number {
    return this.#remove(hash, (entry) => this.#isAt(entry, place));
  }

  /** Removes the entries for segments that have been deleted. */
  sweep(): void {
    const first = this.firstSegment;
    for (let bucket = 0; bucket < this.#memory.buckets; bucket++) {
      if (this.#words[unitWords + bucket * 2 + 1] === 0) continue;
      const head = this.#memory.enter(bucket);
      this.#removeWhere(head, (entry) => (this.#words[entry + segmentWord] as number) < first);
      this.#memory.leave(bucket);
    }
  }

  #remove(hash: KeyHash, matches: (entry: number) => boolean): number {
    const bucket = this.#bucketOf(hash);
    const head = this.#memory.enter(bucket);
    const count = this.#removeWhere(head, matches);
    this.#memory.leave(bucket);
    return count;
  }

  #removeWhere(head: number, matches: (entry: number) => boolean): number {
    const words = this.#words;
    let count = 0;
    let link = head;
    for (let entry = words[link] as number; entry !== 0; entry = words[link] as number) {
      if (!matches(entry)) {
        link = entry;
        continue;
      }
      words[link] = words[entry] as number;
      this.#memory.free(entry);
      count++;
    }
    if (count > 0) Atomics.sub(words, entriesWord, count);
    return count;
  }

  #bucketOf({ first }: KeyHash): number {
    return first & (this.#memory.buckets - 1);
  }

  #has(entry: number, hash: KeyHash): boolean {
    return this.#words[entry + hashWord] === hash.first && this.#words[entry + secondHashWord] === hash.second;
  }

  #isAt(entry: number, { segment, offset }: RecordPlace): boolean {
    return this.#words[entry + segmentWord] === segment && this.#words[entry + offsetWord] === offset;
  }

  #isReplaced(entry: number, vary: number): boolean {
    const other = this.#words[entry + varyWord];
    return vary === 0 || other === 0 || other === vary;
  }

  #placeOf(entry: number): RecordPlace {
    const words = this.#words;
    return {
      segment: words[entry + segmentWord] as number,
      offset: words[entry + offsetWord] as number,
      length: words[entry + lengthWord] as number,
      vary: words[entry + varyWord] as number,
    };
  }
}
