/**
 * Sliding windows of a rate limit zone in shared memory. They store the event times of each key. The limit is exact across all threads: an
 * event is allowed if fewer than `max` events of its key were allowed in the preceding window. A key takes 128 bytes plus 4 bytes per event
 * in its window, regardless of `max`. Times are in milliseconds of a clock that all threads share. They are 32-bit integers that wrap
 * around after 49 days. Differences are exact up to half of that time.
 */
import { wordAt } from '@sluice/base';
import { randomInt } from 'node:crypto';
import { headerWords, unitWords, UnitMemory } from './unit-memory.ts';

// Word offsets within an entry, which is the first unit of a key. Word 0 links the entries of a bucket.
const hashWord = 1;
const secondHashWord = 2;
const countWord = 3;
/** Position of the oldest event, stored as a unit number and a word offset. */
const headWord = 4;
const headPosition = 5;
/** Position after the newest event, stored as a unit number and a word offset. */
const tailWord = 6;
const tailPosition = 7;
const keyWord = 8;
const rejectedWord = 9;
/** Word with the limit that an operator has set for this key, or 0. */
const limitWord = 10;
const seenWord = 11;
/** Word with the unit that contains the event counts of other servers, or 0. */
const remoteWord = 12;

/** Number of words in a unit that store the text of a key. The first two words of the unit contain the link and the length in bytes. */
const textWords = unitWords - 2;

// Word offsets within the header.
const keysWord = headerWords;
const allowedWord = headerWords + 1;
const deniedWord = headerWords + 2;
const fullWord = headerWords + 3;
/** Word with the seed of the hashes. The first thread that opens the memory chooses the seed. */
const seedWord = headerWords + 4;

/** Number of time slices for the event counts of other servers. The oldest slice comes first. */
export const remoteSlots = unitWords - 2;

/** A range of buckets: index of the first bucket, and index after the last bucket. */
export type BucketRange = readonly [from: number, to: number];

export interface KeyState {
  readonly key: string;
  readonly events: number;
  /** Number of rejected requests since the key was first used. */
  readonly rejected: number;
  /** Limit for this key. 0 means that the limit of the zone applies. */
  readonly limit: number;
  /** Time until the oldest event leaves the window, in milliseconds. 0 if there are no events. */
  readonly oldestExpiresIn: number;
}

export interface ZoneTotals {
  readonly keys: number;
  readonly allowed: number;
  readonly rejected: number;
  /** Number of requests that were allowed without being counted, because the memory was full. */
  readonly uncounted: number;
  readonly memory: { readonly used: number; readonly total: number };
}

/** Result of {@link SlidingWindows.take}. The next call on the same instance overwrites it. */
export interface Taken {
  /** 0 if the event is allowed. Otherwise, time until the next event is allowed, in milliseconds. */
  wait: number;
  /** Number of further events that are currently allowed for the key. */
  remaining: number;
  /** Time until the oldest event leaves the window, in milliseconds. */
  reset: number;
  /** Limit that applied. */
  limit: number;
  /** True if the event was not counted, because the memory was full. */
  full: boolean;
}

export class SlidingWindows {
  readonly #memory: UnitMemory;
  readonly #words: Int32Array;
  readonly #seed: number;
  readonly #taken: Taken = { wait: 0, remaining: 0, reset: 0, limit: 0, full: false };
  /** The last key and its hashes. Caching them pays off because consecutive requests often have the same key. */
  #hashedKey: string | null = null;
  #hash = 0;
  #secondHash = 0;

  constructor(memory: SharedArrayBuffer, thread: number) {
    this.#memory = new UnitMemory(memory, thread);
    this.#words = this.#memory.words;
    Atomics.compareExchange(this.#words, seedWord, 0, randomInt(1, 2 ** 31));
    this.#seed = Atomics.load(this.#words, seedWord);
  }

  /** Counts an event for a key at the time `now` if the limit allows it. */
  take(key: string, now: number, window: number, max: number): Taken {
    this.#hashOf(key);
    const bucket = this.#hash & (this.#memory.buckets - 1);
    const head = this.#memory.enter(bucket);
    try {
      const entry = this.#find(head) || this.#insert(head, key);
      if (entry === 0) return this.#uncounted(max);
      return this.#takeOf(entry, now, window, max);
    } finally {
      this.#memory.leave(bucket);
    }
  }

  /** Clears the events of a key. Returns false if the key has no entry. */
  reset(key: string): boolean {
    return this.#withEntry(key, (entry) => {
      this.#dropEvents(entry);
      this.#words[limitWord + entry] = 0;
      this.#dropRemote(entry);
    });
  }

  /** Sets a limit for one key, which applies until the key is reset. 0 restores the limit of the zone. */
  setLimit(key: string, limit: number, now: number): void {
    this.#hashOf(key);
    const bucket = this.#hash & (this.#memory.buckets - 1);
    const head = this.#memory.enter(bucket);
    const entry = this.#find(head) || this.#insert(head, key);
    if (entry !== 0) {
      this.#words[entry + limitWord] = limit;
      this.#words[entry + seenWord] = now;
    }
    this.#memory.leave(bucket);
  }

  /**
   * Sets the counts of events that other servers have allowed. The counts are for equal time slices of the window that ends at `now`,
   * oldest first.
   */
  setRemote(key: string, now: number, counts: ArrayLike<number>): void {
    this.#hashOf(key);
    const bucket = this.#hash & (this.#memory.buckets - 1);
    const head = this.#memory.enter(bucket);
    const entry = this.#find(head) || this.#insert(head, key);
    if (entry !== 0) this.#setRemoteOf(entry, now, counts);
    this.#memory.leave(bucket);
  }

  /** Removes keys that have no events from a range of buckets. */
  sweep([from, to]: BucketRange, now: number, window: number): void {
    const words = this.#words;
    for (let bucket = from; bucket < to; bucket++) {
      // Check for an empty bucket before locking, because most buckets are empty.
      if (words[unitWords + bucket * 2 + 1] === 0) continue;
      let link = this.#memory.enter(bucket);
      for (let entry = wordAt(words, link); entry !== 0; entry = wordAt(words, link)) {
        this.#expire(entry, now, window);
        const idle = ((now - wordAt(words, entry + seenWord)) | 0) >= window;
        if (idle && words[entry + countWord] === 0 && words[entry + limitWord] === 0) this.#remove(link, entry);
        else link = entry;
      }
      this.#memory.leave(bucket);
    }
  }

  get buckets(): number {
    return this.#memory.buckets;
  }

  visit([from, to]: BucketRange, now: number, window: number, each: (state: KeyState) => void): void {
    const words = this.#words;
    for (let bucket = from; bucket < to; bucket++) {
      if (words[unitWords + bucket * 2 + 1] === 0) continue;
      const head = this.#memory.enter(bucket);
      const found: KeyState[] = [];
      for (let entry = wordAt(words, head); entry !== 0; entry = wordAt(words, entry)) {
        this.#expire(entry, now, window);
        found.push(this.#stateOf(entry, now, window));
      }
      this.#memory.leave(bucket);
      for (const state of found) each(state);
    }
  }

  /**
   * Visits the keys in a range of buckets and their event counts, which are sent to other servers. The counts are for equal time slices of
   * the window, oldest first.
   */
  visitCounts(
    [from, to]: BucketRange,
    now: number,
    window: number,
    each: (key: string, counts: readonly number[]) => void,
  ): void {
    const words = this.#words;
    for (let bucket = from; bucket < to; bucket++) {
      if (words[unitWords + bucket * 2 + 1] === 0) continue;
      const head = this.#memory.enter(bucket);
      const found: (readonly [string, readonly number[]])[] = [];
      for (let entry = wordAt(words, head); entry !== 0; entry = wordAt(words, entry)) {
        this.#expire(entry, now, window);
        if (words[entry + countWord] !== 0)
          found.push([this.#keyOf(entry), this.#countsOf(entry, now, window)] as const);
      }
      this.#memory.leave(bucket);
      for (const [key, counts] of found) each(key, counts);
    }
  }

  get totals(): ZoneTotals {
    const words = this.#words;
    return {
      keys: Atomics.load(words, keysWord),
      allowed: Atomics.load(words, allowedWord) >>> 0,
      rejected: Atomics.load(words, deniedWord) >>> 0,
      uncounted: Atomics.load(words, fullWord) >>> 0,
      memory: this.#memory.usage,
    };
  }

  #takeOf(entry: number, now: number, window: number, max: number): Taken {
    const words = this.#words;
    const taken = this.#taken;
    const own = wordAt(words, entry + limitWord);
    const limit = own === 0 ? max : own;
    words[entry + seenWord] = now;
    this.#expire(entry, now, window);
    const remote = words[entry + remoteWord] === 0 ? 0 : this.#remoteCount(entry, now, window);
    const count = wordAt(words, entry + countWord);
    taken.limit = limit;
    taken.full = false;
    if (count + remote >= limit) {
      words[entry + rejectedWord] = wordAt(words, entry + rejectedWord) + 1;
      Atomics.add(words, deniedWord, 1);
      taken.remaining = 0;
      taken.wait = this.#waitOf(entry, now, window, count + remote - limit);
      taken.reset = taken.wait;
      return taken;
    }
    if (!this.#append(entry, now)) return this.#uncounted(limit);
    Atomics.add(words, allowedWord, 1);
    taken.wait = 0;
    taken.remaining = limit - count - remote - 1;
    taken.reset = this.#expiryOf(entry, now, window);
    return taken;
  }

  /**
   * Allows an event without counting it, because the memory is full. Otherwise, an attacker could fill the memory with keys and lock out
   * all clients.
   */
  #uncounted(limit: number): Taken {
    Atomics.add(this.#words, fullWord, 1);
    const taken = this.#taken;
    taken.wait = 0;
    taken.remaining = 0;
    taken.reset = 0;
    taken.limit = limit;
    taken.full = true;
    return taken;
  }

  /** Returns the time until `over + 1` events have left the window, in milliseconds. */
  #waitOf(entry: number, now: number, window: number, over: number): number {
    const words = this.#words;
    const count = wordAt(words, entry + countWord);
    if (words[entry + limitWord] === 0 && this.#taken.limit === 0) return window;
    // Only events on other servers block this request. The exact times of these events are unknown, so wait for one time slice.
    if (over >= count) return Math.max(1, Math.ceil(window / remoteSlots));
    let unit = wordAt(words, entry + headWord);
    let position = wordAt(words, entry + headPosition);
    for (let skip = over; skip > 0;) {
      const here = Math.min(skip, unitWords - position);
      skip -= here;
      position += here;
      if (position === unitWords) {
        unit = wordAt(words, unit);
        position = 1;
      }
    }
    return Math.max(1, window - ((now - wordAt(words, unit + position)) | 0));
  }

  #expiryOf(entry: number, now: number, window: number): number {
    const words = this.#words;
    if (words[entry + countWord] === 0) return 0;
    const oldest = wordAt(words, wordAt(words, entry + headWord) + wordAt(words, entry + headPosition));
    return Math.max(0, window - ((now - oldest) | 0));
  }

  /** Drops expired events. */
  #expire(entry: number, now: number, window: number): void {
    const words = this.#words;
    let count = wordAt(words, entry + countWord);
    if (count === 0) return;
    let unit = wordAt(words, entry + headWord);
    let position = wordAt(words, entry + headPosition);
    while (count > 0 && ((now - wordAt(words, unit + position)) | 0) >= window) {
      count--;
      if (++position === unitWords) {
        const next = wordAt(words, unit);
        // Keep the last unit for the next event.
        if (next === 0) break;
        words[entry + headWord] = next;
        this.#memory.free(unit);
        unit = next;
        position = 1;
      }
    }
    words[entry + countWord] = count;
    if (count === 0) {
      words[entry + headPosition] = 1;
      words[entry + tailPosition] = 1;
      words[entry + tailWord] = unit;
    } else words[entry + headPosition] = position;
  }

  #append(entry: number, now: number): boolean {
    const words = this.#words;
    let unit = wordAt(words, entry + tailWord);
    let position = wordAt(words, entry + tailPosition);
    if (unit === 0 || position === unitWords) {
      const next = this.#memory.allocate();
      if (next === 0) return false;
      if (unit === 0) {
        words[entry + headWord] = next;
        words[entry + headPosition] = 1;
      } else words[unit] = next;
      words[entry + tailWord] = next;
      unit = next;
      position = 1;
    }
    words[unit + position] = now;
    words[entry + tailPosition] = position + 1;
    words[entry + countWord] = wordAt(words, entry + countWord) + 1;
    return true;
  }

  #dropEvents(entry: number): void {
    const words = this.#words;
    const first = wordAt(words, entry + headWord);
    words.fill(0, entry + countWord, entry + tailPosition + 1);
    this.#memory.freeList(first);
  }

  #setRemoteOf(entry: number, now: number, counts: ArrayLike<number>): void {
    const words = this.#words;
    if (words[entry + remoteWord] === 0) words[entry + remoteWord] = this.#memory.allocate();
    const unit = wordAt(words, entry + remoteWord);
    if (unit === 0) return;
    words[unit + 1] = now;
    for (let i = 0; i < remoteSlots; i++) words[unit + 2 + i] = counts[i] ?? 0;
    if (((now - wordAt(words, entry + seenWord)) | 0) > 0) words[entry + seenWord] = now;
  }

  #dropRemote(entry: number): void {
    const unit = wordAt(this.#words, entry + remoteWord);
    this.#words[entry + remoteWord] = 0;
    if (unit !== 0) this.#memory.free(unit);
  }

  /** Returns the number of events on other servers, in time slices that are still within the window. */
  #remoteCount(entry: number, now: number, window: number): number {
    const words = this.#words;
    const unit = wordAt(words, entry + remoteWord);
    const age = (now - wordAt(words, unit + 1)) | 0;
    let sum = 0;
    for (let i = Math.max(0, Math.floor((age * remoteSlots) / window)); i < remoteSlots; i++)
      sum += wordAt(words, unit + 2 + i);
    return sum;
  }

  #countsOf(entry: number, now: number, window: number): readonly number[] {
    const words = this.#words;
    const counts = Array.from({ length: remoteSlots }, () => 0);
    let unit = wordAt(words, entry + headWord);
    let position = wordAt(words, entry + headPosition);
    for (let left = wordAt(words, entry + countWord); left > 0 && unit !== 0; left--) {
      const age = (now - wordAt(words, unit + position)) | 0;
      const slot = Math.min(remoteSlots - 1, Math.max(0, Math.floor(((window - age) * remoteSlots) / window)));
      counts[slot] = (counts[slot] ?? 0) + 1;
      if (++position === unitWords) {
        unit = wordAt(words, unit);
        position = 1;
      }
    }
    return counts;
  }

  #find(head: number): number {
    const words = this.#words;
    for (let entry = wordAt(words, head); entry !== 0; entry = wordAt(words, entry))
      if (words[entry + hashWord] === this.#hash && words[entry + secondHashWord] === this.#secondHash) return entry;
    return 0;
  }

  #insert(head: number, key: string): number {
    const words = this.#words;
    const entry = this.#memory.allocate();
    if (entry === 0) return 0;
    const text = this.#writeKey(key);
    if (text === 0) {
      this.#memory.free(entry);
      return 0;
    }
    words[entry + hashWord] = this.#hash;
    words[entry + secondHashWord] = this.#secondHash;
    words[entry + keyWord] = text;
    words[entry] = wordAt(words, head);
    // Link the entry last. If this thread dies, a thread that takes over the lock finds either a complete entry or none.
    words[head] = entry;
    Atomics.add(words, keysWord, 1);
    return entry;
  }

  #remove(link: number, entry: number): void {
    const words = this.#words;
    words[link] = wordAt(words, entry);
    this.#dropRemote(entry);
    this.#memory.freeList(wordAt(words, entry + headWord));
    this.#memory.freeList(wordAt(words, entry + keyWord));
    this.#memory.free(entry);
    Atomics.sub(words, keysWord, 1);
  }

  /** Writes the text of a key to new units. Returns 0 if the memory is full. */
  #writeKey(key: string): number {
    const words = this.#words;
    let first = 0;
    let previous = 0;
    for (let at = 0; at === 0 || at < key.length; at += textWords * 2) {
      const unit = this.#memory.allocate();
      if (unit === 0) {
        this.#memory.freeList(first);
        return 0;
      }
      if (previous === 0) first = unit;
      else words[previous] = unit;
      previous = unit;
      const end = Math.min(key.length, at + textWords * 2);
      words[unit + 1] = end - at;
      for (let i = at; i < end; i += 2)
        words[unit + 2 + ((i - at) >> 1)] = key.charCodeAt(i) | ((i + 1 < end ? key.charCodeAt(i + 1) : 0) << 16);
    }
    return first;
  }

  #keyOf(entry: number): string {
    const words = this.#words;
    let text = '';
    for (let unit = wordAt(words, entry + keyWord); unit !== 0; unit = wordAt(words, unit)) {
      const length = wordAt(words, unit + 1);
      for (let i = 0; i < length; i++)
        text += String.fromCharCode((wordAt(words, unit + 2 + (i >> 1)) >>> ((i & 1) * 16)) & 0xffff);
    }
    return text;
  }

  #stateOf(entry: number, now: number, window: number): KeyState {
    const words = this.#words;
    return {
      key: this.#keyOf(entry),
      events: wordAt(words, entry + countWord),
      rejected: wordAt(words, entry + rejectedWord),
      limit: wordAt(words, entry + limitWord),
      oldestExpiresIn: this.#expiryOf(entry, now, window),
    };
  }

  #withEntry(key: string, change: (entry: number) => void): boolean {
    this.#hashOf(key);
    const bucket = this.#hash & (this.#memory.buckets - 1);
    const head = this.#memory.enter(bucket);
    const entry = this.#find(head);
    if (entry !== 0) change(entry);
    this.#memory.leave(bucket);
    return entry !== 0;
  }

  /** Computes two seeded 32-bit hashes of a key. The seed prevents clients from choosing keys that share a bucket. */
  #hashOf(key: string): void {
    if (key === this.#hashedKey) return;
    this.#hashedKey = key;
    let a = this.#seed;
    let b = ~this.#seed;
    for (let i = 0; i < key.length; i++) {
      const code = key.charCodeAt(i);
      a = Math.imul(a ^ code, 0x9e3779b1);
      a ^= a >>> 15;
      b = Math.imul(b ^ code, 0x85ebca6b);
      b ^= b >>> 13;
    }
    a = Math.imul(a ^ key.length, 0xc2b2ae35);
    this.#hash = a ^ (a >>> 16);
    b = Math.imul(b ^ key.length, 0x27d4eb2f);
    this.#secondHash = b ^ (b >>> 15);
  }
}
