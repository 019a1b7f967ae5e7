/**
 * A lock-free hash table in shared memory: a thread that is terminated at any point does not block others.
 *
 * It uses open addressing with reusable slots, after C. Purcell and T. Harris, "Non-blocking hashtables with open
 * addressing" (2005). A key is inserted tentatively, then searched for elsewhere, and only then becomes a member.
 */
import { hash } from 'node:crypto';
import { SluiceError } from '@sluice/base';

/** Memory of a table and its cells, passed to each thread. */
export interface SharedCellsMemory {
  readonly capacity: number;
  readonly threads: number;
  /** State words, fingerprints, probe bounds, and holders. */
  readonly table: SharedArrayBuffer;
  /** Counters and numbers, 64 bytes per cell. */
  readonly values: SharedArrayBuffer;
  /** Increments by thread: two counters per thread and cell. */
  readonly entered: SharedArrayBuffer;
}

/** Allocates memory for `capacity` concurrent keys and threads 0 to `threads - 1`. Pages are committed on first use. */
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

// Layout of a state word: 3 bits of state, 11 bits for the number of holders (or the inserting thread), 18 bits of
// version.
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
/** Returns the word of a freed slot. The new version lets concurrent readers detect the change. */
const freed = (word: number): number => (((word >> versionShift) + 1) << versionShift) | empty;

/** The table from the perspective of one thread. The thread holds each key once, for any number of users. */
export class SlotTable {
  readonly #capacity: number;
  readonly #thread: number;
  readonly #clear: (slot: number) => void;
  readonly #words: Int32Array;
  readonly #prints: Int32Array;
  /** Maximum probe distance by home slot. Never decreases. */
  readonly #bounds: Int32Array;
  /** By thread and slot: 1 while the thread holds the slot. */
  readonly #held: Int32Array;

  /** `clear` zeroes the values of a slot before a new key uses the slot. */
  constructor({ table, capacity, threads }: SharedCellsMemory, thread: number, clear: (slot: number) => void) {
    if (thread < 0 || thread >= threads)
      throw new SluiceError('ERR_THREAD', `thread ${thread} of ${threads} is not in the shared memory`);
    this.#capacity = capacity;
    this.#thread = thread;
    this.#clear = clear;
    this.#words = new Int32Array(table, 0, capacity);
    this.#bounds = new Int32Array(table, capacity * 4, capacity);
    this.#prints = new Int32Array(table, capacity * 8, capacity * 2);
    this.#held = new Int32Array(table, capacity * 16, capacity * threads);
  }

  /** Returns the slot of a key, and makes this thread a holder. */
  acquire(key: string): number {
    const print = fingerprint(key);
    const found = this.#find(print);
    const slot = found >= 0 ? found : this.#insert(print);
    Atomics.store(this.#held, this.#thread * this.#capacity + slot, 1);
    return slot;
  }

  /** Releases a slot that this thread holds. */
  release(slot: number): void {
    Atomics.store(this.#held, this.#thread * this.#capacity + slot, 0);
    this.#letGo(slot);
  }

  count(): number {
    let count = 0;
    for (let slot = 0; slot < this.#capacity; slot++) if (stateOf(Atomics.load(this.#words, slot)) === member) count++;
    return count;
  }

  /** Releases all slots of a dead thread, including incomplete insertions. Calls `before` for each held slot. */
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

  /** Finds and holds a member; returns -1 if the member does not exist. */
  #find(print: Fingerprint): number {
    const home = this.#home(print);
    const bound = Atomics.load(this.#bounds, home);
    for (let distance = 0; distance <= bound; distance++) {
      const slot = (home + distance) % this.#capacity;
      if (this.#hold(slot, print)) return slot;
    }
    return -1;
  }

  /** Adds this thread to the holders if the slot is a member with this key. */
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
      // Another thread is inserting the same key and has marked our slot as busy. Mark the slot as tentative again and retry.
      Atomics.store(this.#words, own, tentative);
    }
  }

  /** Claims the first free slot, starting at the key's home slot, and publishes the key tentatively. */
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
   * Searches for the key in other slots. Marks concurrent insertions of the same key as busy, and holds the member if
   * there is one.
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
