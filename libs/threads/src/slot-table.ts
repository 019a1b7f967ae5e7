/**
 * A lock-free hash table in shared memory. Terminating a thread at any point does not block other threads.
 *
 * The table uses open addressing with reusable slots, after C. Purcell and T. Harris, "Non-blocking hashtables with open addressing"
 * (2005). An insertion first claims a slot tentatively and then searches the other slots for the same key. Only then does the key become a
 * member.
 */
import { hash } from 'node:crypto';
import { SluiceError } from '@sluice/base';

/** Memory of a hash table and its cells, which is passed to each thread. */
export interface SharedCellsMemory {
  readonly capacity: number;
  readonly threads: number;
  /** State words, fingerprints, probe bounds, and hold flags of the hash table. */
  readonly table: SharedArrayBuffer;
  /** Counters and other values of all cells, 64 bytes per cell. */
  readonly values: SharedArrayBuffer;
  /** Increments by thread: two counters for each thread and cell. */
  readonly entered: SharedArrayBuffer;
}

/** Allocates memory for `capacity` keys in use at the same time, and for threads 0 to `threads - 1`. Pages are committed on first use. */
export function allocateSharedCells({
  capacity = 65_536,
  threads,
}: {
  capacity?: number;
  threads: number;
}): SharedCellsMemory {
  return {
    capacity,
    threads,
    table: new SharedArrayBuffer(capacity * 4 * (4 + threads)),
    values: new SharedArrayBuffer(capacity * 64),
    entered: new SharedArrayBuffer(capacity * threads * 8),
  };
}

// Layout of a state word: 3 bits for the state, 11 bits for the number of holders, and 18 bits for the version. During an insertion, the 11
// bits contain the number of the inserting thread.
const empty = 0;
const busy = 1;
const inserting = 2;
const collided = 3;
const member = 4;
const oneHolder = 1 << 3;
const versionShift = 14;

const stateOf = (word: number): number => word & 7;
const holdersOf = (word: number): number => (word >> 3) & 0x7ff;
const wordOf = (state: number, holders: number, word: number): number =>
  state | (holders << 3) | ((word >> versionShift) << versionShift);
/** Returns the state word of a freed slot. The incremented version lets concurrent readers detect the change. */
const freed = (word: number): number => (((word >> versionShift) + 1) << versionShift) | empty;

/** One thread's view of the hash table. The thread holds each key at most once, regardless of the number of users in the thread. */
export class SlotTable {
  readonly #capacity: number;
  readonly #thread: number;
  readonly #clear: (slot: number) => void;
  readonly #words: Int32Array;
  readonly #prints: Int32Array;
  /** Maximum probe distance for each home slot. The value never decreases. */
  readonly #bounds: Int32Array;
  /** Hold flags by thread and slot: 1 if the thread holds the slot. */
  readonly #held: Int32Array;

  /** `clear` must zero a slot's values. It is called before a slot is used for a new key. */
  constructor({ table, capacity, threads }: SharedCellsMemory, thread: number, clear: (slot: number) => void) {
    if (thread < 0 || thread >= threads)
      throw new SluiceError(
        'ERR_THREAD',
        `thread number ${thread} is out of range: shared memory is allocated for ${threads} threads`,
      );
    this.#capacity = capacity;
    this.#thread = thread;
    this.#clear = clear;
    this.#words = new Int32Array(table, 0, capacity);
    this.#bounds = new Int32Array(table, capacity * 4, capacity);
    this.#prints = new Int32Array(table, capacity * 8, capacity * 2);
    this.#held = new Int32Array(table, capacity * 16, capacity * threads);
  }

  /** Returns the slot for a key and registers this thread as a holder. */
  acquire(key: string): number {
    const print = fingerprint(key);
    const found = this.#find(print);
    const slot = found >= 0 ? found : this.#insert(print);
    Atomics.store(this.#held, this.#thread * this.#capacity + slot, 1);
    return slot;
  }

  /** Releases a slot held by this thread. */
  release(slot: number): void {
    Atomics.store(this.#held, this.#thread * this.#capacity + slot, 0);
    this.#letGo(slot);
  }

  count(): number {
    let count = 0;
    for (let slot = 0; slot < this.#capacity; slot++) if (stateOf(Atomics.load(this.#words, slot)) === member) count++;
    return count;
  }

  /** Releases all slots of a dead thread, including incomplete insertions. Calls `before` with each held slot. */
  reap(thread: number, before: (slot: number) => void): void {
    for (let slot = 0; slot < this.#capacity; slot++) {
      if (Atomics.exchange(this.#held, thread * this.#capacity + slot, 0) === 1) {
        before(slot);
        this.#letGo(slot);
      }
      const word = Atomics.load(this.#words, slot);
      const unfinished = stateOf(word) === busy || stateOf(word) === inserting || stateOf(word) === collided;
      if (unfinished && holdersOf(word) === thread) Atomics.store(this.#words, slot, freed(word));
    }
  }

  /** Finds a member and registers this thread as a holder. Returns -1 if there is no such member. */
  #find(print: Fingerprint): number {
    const home = this.#home(print);
    const bound = Atomics.load(this.#bounds, home);
    for (let distance = 0; distance <= bound; distance++) {
      const slot = (home + distance) % this.#capacity;
      if (this.#hold(slot, print)) return slot;
    }
    return -1;
  }

  /** Registers this thread as a holder if the slot contains a member with this key. */
  #hold(slot: number, print: Fingerprint): boolean {
    for (;;) {
      const word = Atomics.load(this.#words, slot);
      if (stateOf(word) !== member || !this.#has(slot, print)) return false;
      if (Atomics.compareExchange(this.#words, slot, word, word + oneHolder) === word) return true;
    }
  }

  #insert(print: Fingerprint): number {
    const own = this.#claim(print);
    const home = this.#home(print);
    for (;;) {
      const other = this.#settle(own, home, print);
      const word = Atomics.load(this.#words, own);
      if (other >= 0) {
        Atomics.store(this.#words, own, freed(word));
        return other;
      }
      const tentative = wordOf(inserting, this.#thread, word);
      if (Atomics.compareExchange(this.#words, own, tentative, wordOf(member, 1, word)) === tentative) return own;
      // Another thread is inserting the same key and has marked this thread's slot as busy. Mark the slot as tentative again and retry.
      Atomics.store(this.#words, own, tentative);
    }
  }

  /** Claims the first free slot, starting at the key's home slot. The key is published as tentative. */
  #claim(print: Fingerprint): number {
    const home = this.#home(print);
    for (let distance = 0; distance < this.#capacity; distance++) {
      const slot = (home + distance) % this.#capacity;
      const word = Atomics.load(this.#words, slot);
      if (stateOf(word) !== empty) continue;
      if (Atomics.compareExchange(this.#words, slot, word, wordOf(busy, this.#thread, word)) !== word) continue;
      this.#clear(slot);
      Atomics.store(this.#prints, slot * 2, print[0]);
      Atomics.store(this.#prints, slot * 2 + 1, print[1]);
      this.#raise(home, distance);
      Atomics.store(this.#words, slot, wordOf(inserting, this.#thread, word));
      return slot;
    }
    throw new SluiceError('ERR_CELLS_FULL', `all ${this.#capacity} cells of shared memory are in use`);
  }

  /**
   * Searches the other slots for the key. Marks concurrent insertions of the same key as busy. If a member exists, registers this thread as
   * its holder.
   */
  #settle(own: number, home: number, print: Fingerprint): number {
    const bound = Atomics.load(this.#bounds, home);
    for (let distance = 0; distance <= bound; distance++) {
      const slot = (home + distance) % this.#capacity;
      if (slot === own) continue;
      for (;;) {
        const word = Atomics.load(this.#words, slot);
        const state = stateOf(word);
        if ((state !== inserting && state !== member) || !this.#has(slot, print)) break;
        const next = state === member ? word + oneHolder : wordOf(collided, holdersOf(word), word);
        if (Atomics.compareExchange(this.#words, slot, word, next) !== word) continue;
        if (state === member) return slot;
        break;
      }
    }
    return -1;
  }

  #letGo(slot: number): void {
    for (;;) {
      const word = Atomics.load(this.#words, slot);
      if (stateOf(word) !== member) return;
      const next = holdersOf(word) > 1 ? word - oneHolder : freed(word);
      if (Atomics.compareExchange(this.#words, slot, word, next) === word) return;
    }
  }

  #raise(home: number, distance: number): void {
    for (;;) {
      const bound = Atomics.load(this.#bounds, home);
      if (bound >= distance || Atomics.compareExchange(this.#bounds, home, bound, distance) === bound) return;
    }
  }

  #has(slot: number, print: Fingerprint): boolean {
    return Atomics.load(this.#prints, slot * 2) === print[0] && Atomics.load(this.#prints, slot * 2 + 1) === print[1];
  }

  #home(print: Fingerprint): number {
    return (print[0] >>> 0) % this.#capacity;
  }
}

/** A 64-bit hash of a key. With 30,000 keys, the probability of a collision is 1 in 40 billion. */
type Fingerprint = readonly [number, number];

function fingerprint(key: string): Fingerprint {
  const digest = hash('sha256', key, 'buffer');
  return [digest.readInt32LE(0), digest.readInt32LE(4)];
}
