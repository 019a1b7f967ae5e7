/** Response store in shared memory, indexed by cache key. Each thread caches decoded responses until their bucket changes. */
import type { HeaderMap } from '@sluice/http1';
import { BlockMemory, hashKey, type KeyHash, type MemoryUsage, type Pinned } from './block-memory.ts';
import { decodeHead, encodeHead, Stored, type StoredHead } from './stored.ts';

/** Maximum size, in bytes, of a body that is copied together with its decoded headers. */
const maxCopied = 1024 * 1024;
/**
 * Maximum total size of a thread's decoded responses, in bytes. If a quarter of the shared memory is less than this value, that quarter is
 * the limit.
 */
const maxDecoded = 16 * 1024 * 1024;
/** Estimated size of the decoded headers of a response, in bytes. */
const headBytes = 2048;
/** Maximum time to wait while another thread fetches a key, in milliseconds. */
const maxRemoteWait = 5000;
const maxVariants = 64;

interface Decoded {
  readonly bucket: number;
  readonly generation: number;
  readonly variants: readonly Stored[];
  readonly size: number;
}

const none: readonly Stored[] = [];

export class MemoryStore {
  readonly memory: BlockMemory;
  readonly #decoded = new Map<string, Decoded>();
  readonly #maxDecoded: number;
  #decodedBytes = 0;

  constructor(memory: SharedArrayBuffer, thread: number) {
    this.memory = new BlockMemory(memory, thread);
    this.#maxDecoded = Math.min(maxDecoded, memory.byteLength / 4);
  }

  get usage(): MemoryUsage {
    return this.memory.usage;
  }

  /** Returns the response that matches the request headers, or `null`. */
  find(key: string, headers: HeaderMap): Stored | null {
    const variants = this.variants(key);
    for (const stored of variants) if (stored.matches(headers)) return stored;
    return null;
  }

  /** Returns all responses with the given key, newest first. */
  variants(key: string): readonly Stored[] {
    const decoded = this.#decoded.get(key);
    if (decoded !== undefined) {
      if (this.memory.generation(decoded.bucket) === decoded.generation) {
        for (const stored of decoded.variants) this.memory.touch(stored.at);
        return decoded.variants;
      }
      this.#forget(key, decoded);
    }
    return this.#decode(key);
  }

  /** Reports whether a key was invalidated at or after `since`, in milliseconds since the Unix epoch. */
  isInvalid(key: string, since: number): boolean {
    return this.memory.invalidatedAt(this.memory.bucketOf(this.#hashOf(key))) >= since;
  }

  /** Adds a response and removes the responses that it replaces. Returns `null` if there is not enough space. */
  put(key: string, head: StoredHead, body: readonly Buffer[]): Stored | null {
    const hash = this.#hashOf(key);
    const replaced = this.variants(key).filter((each, i) => replaces(head, each) || i >= maxVariants - 1);
    // Add the new response before removing old ones, so that a concurrent request finds at least one response.
    const at = this.memory.add(hash, Buffer.from(key), encodeHead(head), body);
    for (const stored of replaced) this.memory.remove(hash, stored.at);
    if (at === 0) return null;
    const [only] = body;
    let length = 0;
    for (const piece of body) length += piece.length;
    const isKept = length <= maxCopied && body.length <= 1;
    return new Stored(key, head, { length, bytes: isKept ? (only ?? Buffer.alloc(0)) : null, at });
  }

  /** Announces to other threads that this thread is fetching a key. Each bucket can announce only one key at a time. */
  announce(key: string): void {
    const hash = this.#hashOf(key);
    const { words } = this.memory;
    Atomics.compareExchange(words, this.memory.fetchWord(this.memory.bucketOf(hash)), 0, hash.second | 1);
  }

  /** Announces that this thread has finished fetching a key, successfully or not. */
  announceEnd(key: string): void {
    const hash = this.#hashOf(key);
    const { words } = this.memory;
    const at = this.memory.fetchWord(this.memory.bucketOf(hash));
    if (Atomics.compareExchange(words, at, hash.second | 1, 0) === (hash.second | 1)) Atomics.notify(words, at);
  }

  /** Returns a promise that resolves when another thread has finished fetching a key. Returns `null` if no thread is fetching it. */
  remoteFetch(key: string): Promise<void> | null {
    const hash = this.#hashOf(key);
    const { words } = this.memory;
    const at = this.memory.fetchWord(this.memory.bucketOf(hash));
    if (Atomics.load(words, at) !== (hash.second | 1)) return null;
    const waiting = Atomics.waitAsync(words, at, hash.second | 1, maxRemoteWait);
    return waiting.async ? waiting.value.then((result) => this.#endWait(result, at, hash)) : null;
  }

  /** Ends the wait for another thread. There is a timeout, because a thread that was terminated never announces the end of its fetch. */
  #endWait(result: string, at: number, hash: KeyHash): void {
    if (result === 'timed-out') Atomics.compareExchange(this.memory.words, at, hash.second | 1, 0);
  }

  /**
   * Removes all responses with the given key. Responses that arrive later are not stored if their requests were sent before the removal.
   * Returns the number of removed responses.
   */
  remove(key: string): number {
    const hash = this.#hashOf(key);
    this.memory.invalidate(this.memory.bucketOf(hash), Date.now());
    let count = 0;
    for (const stored of this.variants(key)) if (this.memory.remove(hash, stored.at)) count++;
    return count;
  }

  /** Removes one response. */
  removeStored(stored: Stored): boolean {
    return this.memory.remove(this.#hashOf(stored.key), stored.at);
  }

  /** Pins a response body for {@link readBody}. Returns `null` if the response has been removed. */
  pin(stored: Stored): Pinned | null {
    return this.memory.pin(this.#hashOf(stored.key), stored.at);
  }

  readBody(pinned: Pinned, from: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    this.memory.read(pinned, pinned.keyLength + pinned.metaLength + from, bytes);
    return bytes;
  }

  /** Returns all responses in a bucket, without their bodies. */
  inBucket(bucket: number): Stored[] {
    return this.memory.pinBucket(bucket).map((pinned) => {
      const stored = this.#read(pinned, null);
      this.memory.release(pinned);
      return stored as Stored;
    });
  }

  /** Copies as many responses as possible from another store, for example a store of a different size. */
  copyFrom(other: MemoryStore): void {
    for (let bucket = 0; bucket < other.memory.buckets; bucket++)
      for (const stored of other.inBucket(bucket)) {
        const pinned = other.pin(stored);
        if (pinned === null) continue;
        const body = other.readBody(pinned, 0, pinned.bodyLength);
        other.memory.release(pinned);
        if (this.variants(stored.key).length === 0 || stored.varyNames.length > 0) this.put(stored.key, stored, [body]);
      }
  }

  #hashOf(key: string): KeyHash {
    return hashKey(key, this.memory.seed);
  }

  #decode(key: string): readonly Stored[] {
    const hash = this.#hashOf(key);
    // Read the generation number first. If the bucket changes later, the decoded objects are outdated, but not wrong.
    const bucket = this.memory.bucketOf(hash);
    const generation = this.memory.generation(bucket);
    const pinned = this.memory.pinAll(hash);
    if (pinned.length === 0) return none;
    const variants: Stored[] = [];
    for (const each of pinned) {
      const stored = this.#read(each, key);
      if (stored !== null) {
        variants.push(stored);
        this.memory.touch(each.at);
      }
      this.memory.release(each);
    }
    variants.sort((a, b) => b.time - a.time);
    this.#keep(key, bucket, generation, variants);
    return variants;
  }

  #keep(key: string, bucket: number, generation: number, variants: readonly Stored[]): void {
    let size = 0;
    for (const { body } of variants) size += headBytes + (body?.length ?? 0);
    this.#decoded.set(key, { bucket, generation, variants, size });
    this.#decodedBytes += size;
    if (this.#decodedBytes <= this.#maxDecoded) return;
    for (const [oldest, decoded] of this.#decoded) {
      this.#forget(oldest, decoded);
      if (this.#decodedBytes <= this.#maxDecoded) return;
    }
  }

  #forget(key: string, decoded: Decoded): void {
    this.#decoded.delete(key);
    this.#decodedBytes -= decoded.size;
  }

  /** Decodes an object, including its body if it is small. Returns `null` if the object does not have the expected key. */
  #read(pinned: Pinned, expected: string | null): Stored | null {
    const { keyLength, metaLength, bodyLength, at } = pinned;
    const isCopied = expected !== null && bodyLength <= maxCopied;
    const bytes = Buffer.allocUnsafe(keyLength + metaLength + (isCopied ? bodyLength : 0));
    this.memory.read(pinned, 0, bytes);
    const key = bytes.toString('utf8', 0, keyLength);
    if (expected !== null && key !== expected) return null;
    const head = decodeHead(bytes.subarray(keyLength, keyLength + metaLength));
    const body = isCopied ? Buffer.from(bytes.subarray(keyLength + metaLength)) : null;
    return new Stored(key, head, { length: bodyLength, bytes: body, at });
  }
}

/** Reports whether a new response fully replaces an existing one, so that the existing one can be removed. */
function replaces(head: StoredHead, other: Stored): boolean {
  if (head.varyNames.length === 0 || other.varyNames.length === 0) return true;
  return sameTexts(head.varyNames, other.varyNames) && sameTexts(head.varyValues, other.varyValues);
}

function sameTexts(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((each, i) => each === b[i]);
}
