/**
 * Cache memory that all threads share. It is divided into blocks of 1 KiB. An object is a chain of blocks. Objects are looked up in a hash
 * table. Each bucket has a lock, and a generation number that changes whenever an object is added or removed. A single load is therefore
 * enough for a thread to verify its cached view of a bucket. An object is linked after it has been written. Its blocks are freed after it
 * has been unlinked and the last reader has finished. A thread that is terminated in between leaks at most one object.
 */
import { randomInt } from 'node:crypto';
import { lock, unlock } from '@sluice/threads';
import { Blocks, blocksFor, blockWords, kindWord, objectKind, usedWord } from './blocks.ts';

// Word offsets within the first block of an object.
const hashWord = 3;
const secondHashWord = 4;
/** Word with the next object in the bucket. */
const siblingWord = 5;
/** Word with the number of readers, and the bit {@link removed}. */
const readersWord = 6;
const keyLengthWord = 7;
const metaLengthWord = 8;
const bodyLengthWord = 9;
/** Bit in the reader count. It means that the object has been unlinked, and that the last reader must free it. */
const removed = 0x40000000;

// Word offsets within the header, after the words that blocks.ts uses.
const clockHand = 4;
const objectCount = 5;
const evictions = 6;
/** Word with the seed for key hashes. The first thread that opens the memory chooses the seed. */
const seedWord = 7;
const headerBytes = 64;

// Number of words per bucket.
const bucketWords = 6;
const bucketHead = 1;
const bucketGeneration = 2;
/** Word with the hash of a key that a thread is fetching, or 0. */
const bucketFetch = 3;
/** Word with the time of the bucket's last invalidation, in milliseconds since the Unix epoch, as a 64-bit float. */
const bucketInvalidated = 4;

export interface KeyHash {
  readonly first: number;
  readonly second: number;
}

/** Hashes a key with a seed. The seed prevents clients from choosing keys that share a bucket. */
export function hashKey(key: string, seed: number): KeyHash {
  let a = seed;
  let b = ~seed;
  for (let i = 0; i < key.length; i++) {
    const code = key.charCodeAt(i);
    a = Math.imul(a ^ code, 0x9e3779b1);
    a ^= a >>> 15;
    b = Math.imul(b ^ code, 0x85ebca6b);
    b ^= b >>> 13;
  }
  a = Math.imul(a ^ key.length, 0xc2b2ae35);
  b = Math.imul(b ^ key.length, 0x27d4eb2f);
  return { first: a ^ (a >>> 16), second: b ^ (b >>> 15) };
}

export interface Pinned {
  readonly at: number;
  readonly keyLength: number;
  readonly metaLength: number;
  readonly bodyLength: number;
}

export interface MemoryUsage {
  readonly objects: number;
  readonly evicted: number;
  readonly used: number;
  readonly total: number;
}

export class BlockMemory {
  readonly words: Int32Array;
  readonly #blocks: Blocks;
  readonly #floats: Float64Array;
  readonly #thread: number;
  readonly seed: number;
  readonly buckets: number;

  constructor(memory: SharedArrayBuffer, thread: number) {
    this.buckets = 2 ** Math.floor(Math.log2(Math.max(Blocks.countOf(memory) / 2, 8)));
    this.#blocks = new Blocks(memory, thread, headerBytes + this.buckets * bucketWords * 4);
    this.words = this.#blocks.words;
    this.#floats = new Float64Array(memory);
    this.#thread = thread;
    Atomics.compareExchange(this.words, seedWord, 0, randomInt(1, 2 ** 31));
    this.seed = Atomics.load(this.words, seedWord);
  }

  get usage(): MemoryUsage {
    return {
      objects: Atomics.load(this.words, objectCount),
      evicted: Atomics.load(this.words, evictions) >>> 0,
      ...this.#blocks.usage,
    };
  }

  bucketOf(hash: KeyHash): number {
    return hash.first & (this.buckets - 1);
  }

  /** Returns the generation number of a bucket. It changes whenever an object is added to or removed from the bucket. */
  generation(bucket: number): number {
    return Atomics.load(this.words, this.#bucketAt(bucket) + bucketGeneration);
  }

  fetchWord(bucket: number): number {
    return this.#bucketAt(bucket) + bucketFetch;
  }

  /** Records that a key in a bucket has been invalidated. */
  invalidate(bucket: number, now: number): void {
    this.#floats[(this.#bucketAt(bucket) + bucketInvalidated) / 2] = now;
  }

  /** Returns the time of the last invalidation in a bucket, in milliseconds since the Unix epoch. Returns 0 if there was none. */
  invalidatedAt(bucket: number): number {
    return this.#floats[(this.#bucketAt(bucket) + bucketInvalidated) / 2] as number;
  }

  /** Marks an object as used, which postpones its eviction. It is safe to call this method for an object that no longer exists. */
  touch(at: number): void {
    // Write only if the value changes, so that threads that serve the same object do not contend for its cache line.
    if (this.words[at + usedWord] === 0) this.words[at + usedWord] = 1;
  }

  /** Pins all objects with the given hash. The caller must release each one. */
  pinAll(hash: KeyHash): Pinned[] {
    const { words } = this;
    const bucket = this.#bucketAt(this.bucketOf(hash));
    const found: Pinned[] = [];
    lock(words, bucket, this.#thread);
    for (let at = words[bucket + bucketHead] as number; at !== 0; at = words[at + siblingWord] as number)
      if (words[at + hashWord] === hash.first && words[at + secondHashWord] === hash.second) found.push(this.#pin(at));
    unlock(words, bucket);
    return found;
  }

  /** Pins an object if it still exists. */
  pin(hash: KeyHash, object: number): Pinned | null {
    const { words } = this;
    const bucket = this.#bucketAt(this.bucketOf(hash));
    let pinned: Pinned | null = null;
    lock(words, bucket, this.#thread);
    for (let at = words[bucket + bucketHead] as number; at !== 0; at = words[at + siblingWord] as number)
      if (at === object) pinned = this.#pin(at);
    unlock(words, bucket);
    return pinned;
  }

  pinBucket(number: number): Pinned[] {
    const { words } = this;
    const bucket = this.#bucketAt(number);
    const found: Pinned[] = [];
    // Check for an empty bucket before locking, because most buckets are empty.
    if (words[bucket + bucketHead] === 0) return found;
    lock(words, bucket, this.#thread);
    for (let at = words[bucket + bucketHead] as number; at !== 0; at = words[at + siblingWord] as number)
      found.push(this.#pin(at));
    unlock(words, bucket);
    return found;
  }

  /** Unpins an object. If the object has been removed, the last reader frees it. */
  release({ at }: Pinned): void {
    if (Atomics.sub(this.words, at + readersWord, 1) === removed + 1) this.#blocks.free(at);
  }

  /** Copies data from a pinned object. `from` is an offset into the concatenation of its key, metadata and body. */
  read({ at }: Pinned, from: number, target: Uint8Array): void {
    this.#blocks.read(at, from, target);
  }

  /** Adds an object, and evicts other objects if necessary. Returns its position, or 0 if there is not enough space. */
  add(hash: KeyHash, key: Uint8Array, meta: Uint8Array, body: readonly Uint8Array[]): number {
    let bodyLength = 0;
    for (const piece of body) bodyLength += piece.length;
    const at = this.#allocate(blocksFor(key.length + meta.length + bodyLength));
    if (at === 0) return 0;
    const { words } = this;
    words[at + hashWord] = hash.first;
    words[at + secondHashWord] = hash.second;
    words[at + readersWord] = 0;
    words[at + keyLengthWord] = key.length;
    words[at + metaLengthWord] = meta.length;
    words[at + bodyLengthWord] = bodyLength;
    words[at + usedWord] = 0;
    this.#blocks.write(at, [key, meta, ...body]);
    const bucket = this.#bucketAt(this.bucketOf(hash));
    lock(words, bucket, this.#thread);
    words[at + siblingWord] = words[bucket + bucketHead] as number;
    words[at + kindWord] = objectKind;
    words[bucket + bucketHead] = at;
    Atomics.add(words, bucket + bucketGeneration, 1);
    unlock(words, bucket);
    Atomics.add(words, objectCount, 1);
    return at;
  }

  /** Removes an object. Returns false if it does not exist. */
  remove(hash: KeyHash, object: number): boolean {
    const { words } = this;
    const bucket = this.#bucketAt(this.bucketOf(hash));
    lock(words, bucket, this.#thread);
    let link = bucket + bucketHead;
    while (words[link] !== 0 && words[link] !== object) link = (words[link] as number) + siblingWord;
    const found = words[link] === object;
    if (found) {
      words[link] = words[object + siblingWord] as number;
      Atomics.add(words, bucket + bucketGeneration, 1);
    }
    unlock(words, bucket);
    if (!found) return false;
    Atomics.sub(words, objectCount, 1);
    if (Atomics.add(words, object + readersWord, removed) === 0) this.#blocks.free(object);
    return true;
  }

  #bucketAt(bucket: number): number {
    return headerBytes / 4 + bucket * bucketWords;
  }

  #pin(at: number): Pinned {
    const { words } = this;
    Atomics.add(words, at + readersWord, 1);
    return {
      at,
      keyLength: words[at + keyLengthWord] as number,
      metaLength: words[at + metaLengthWord] as number,
      bodyLength: words[at + bodyLengthWord] as number,
    };
  }

  #allocate(count: number): number {
    const { count: all, first } = this.#blocks;
    if (count > (all - first) / 2) return 0;
    // Each block is visited at most twice: once to clear its used mark, and once to evict it.
    let looks = 2 * all;
    for (;;) {
      const taken = this.#blocks.take(count);
      if (taken !== 0) return taken;
      looks = this.#evict(count, looks);
      if (looks <= 0) return 0;
    }
  }

  /** Evicts objects that have not been used since the clock hand last passed them. Returns the remaining number of visits. */
  #evict(blocks: number, looks: number): number {
    const { words } = this;
    const range = this.#blocks.count - this.#blocks.first;
    let freed = 0;
    let left = looks;
    for (; left > 0 && freed < blocks; left--) {
      const hand = (Atomics.add(words, clockHand, 1) >>> 0) % range;
      const at = (this.#blocks.first + hand) * blockWords;
      if (words[at + kindWord] !== objectKind) continue;
      if (words[at + usedWord] !== 0) {
        words[at + usedWord] = 0;
        continue;
      }
      const hash = { first: words[at + hashWord] as number, second: words[at + secondHashWord] as number };
      const length =
        (words[at + keyLengthWord] as number) +
        (words[at + metaLengthWord] as number) +
        (words[at + bodyLengthWord] as number);
      if (this.remove(hash, at)) {
        freed += blocksFor(length);
        Atomics.add(words, evictions, 1);
      }
    }
    return left;
  }
}
