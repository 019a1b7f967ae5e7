/**
 * Cells of shared memory that all threads find by key, without messages. They contain state that must be exact across workers, such as
 * requests in flight to an upstream, or a round-robin position.
 *
 * Acquiring a cell takes microseconds, so acquire cells in `provision`. Using a cell takes one atomic instruction.
 */
import { wordAt, floatAt } from '@sluice/base';
import { token, type Token } from '@sluice/registry';
import { SlotTable, type SharedCellsMemory } from './slot-table.ts';

/**
 * Eight 32-bit counters and four floating-point numbers, initially 0. All cells with the same key, in any thread, share
 * the same memory. Don't use a cell after {@link release}.
 */
export interface SharedCell {
  readonly key: string;
  get(counter: number): number;
  set(counter: number, value: number): void;
  /** Adds to a counter and returns the new value. */
  add(counter: number, delta: number): number;
  /** Sets a counter if it has the expected value. Returns the actual value. */
  compareExchange(counter: number, expected: number, value: number): number;
  /**
   * Increments counter 0 or 1 until {@link leave}, for example for a request in flight. Returns the new value.
   *
   * If a thread dies or releases the cell, its increments are undone.
   */
  enter(counter: 0 | 1): number;
  /** Like {@link enter}, but only if the counter is less than `limit`. Reports whether it was. */
  enterBelow(counter: 0 | 1, limit: number): boolean;
  leave(counter: 0 | 1): number;
  /**
   * Records that this thread is going to {@link enter} a counter. If the thread first dies or releases the cell, the counter is incremented
   * on behalf of the thread, for example to count a request as complete.
   */
  owe(counter: 0 | 1): void;
  /** Resolves when a thread calls {@link notify} for the counter, or after a time in milliseconds; at once if the value is another. */
  wait(counter: number, value: number, time: number): Promise<void>;
  /** Wakes all threads that wait for a counter. */
  notify(counter: number): void;
  /** Returns number 0 to 3. The last write wins. */
  number(index: number): number;
  setNumber(index: number, value: number): void;
  /** Releases the cell. When no thread uses the key, the cell can be reused for another key. Idempotent. */
  release(): void;
}

const countersPerCell = 8;
const numbersPerCell = 4;
/** Counters and numbers of a cell fill one cache line. */
const cellBytes = 64;
/** Number of counters that record which thread incremented them. */
const heldCounters = 2;

interface Holding {
  readonly slot: number;
  users: number;
}

/** The shared cells from the perspective of one thread. */
export class SharedCells {
  readonly #table: SlotTable;
  readonly #counters: Int32Array;
  readonly #numbers: Float64Array;
  /** Increments by thread and slot that have not been undone. */
  readonly #entered: Int32Array;
  readonly #capacity: number;
  readonly #thread: number;
  readonly #holdings = new Map<string, Holding>();

  /** `thread` is the number of the calling thread, which must be unique among live threads. */
  constructor(memory: SharedCellsMemory, thread: number) {
    this.#table = new SlotTable(memory, thread, (slot) => this.#clear(slot));
    this.#capacity = memory.capacity;
    this.#thread = thread;
    this.#counters = new Int32Array(memory.values);
    this.#numbers = new Float64Array(memory.values);
    this.#entered = new Int32Array(memory.entered);
  }

  /** Returns the cell of a key. Throws ERR_CELLS_FULL if all cells are in use. */
  acquire(key: string): SharedCell {
    let holding = this.#holdings.get(key);
    if (holding === undefined) {
      holding = { slot: this.#table.acquire(key), users: 0 };
      this.#holdings.set(key, holding);
    }
    holding.users++;
    const { slot } = holding;
    return new Cell(
      key,
      {
        slot,
        counters: this.#counters,
        numbers: this.#numbers,
        entered: this.#entered,
        enteredBase: this.#enteredAt(this.#thread, slot),
      },
      this.#release,
    );
  }

  /** Number of cells in use by any thread. Visits every slot. */
  inUse(): number {
    return this.#table.count();
  }

  /**
   * Releases the cells of a dead thread and undoes its increments. The control thread calls this method before the thread number is reused.
   */
  reap(thread: number): void {
    this.#table.reap(thread, (slot) => this.#countOut(thread, slot));
  }

  /** Called by each cell once. One function for all cells. */
  readonly #release = (key: string): void => {
    const holding = this.#holdings.get(key);
    if (holding === undefined || --holding.users > 0) return;
    this.#holdings.delete(key);
    this.#countOut(this.#thread, holding.slot);
    this.#table.release(holding.slot);
  };

  #enteredAt(thread: number, slot: number): number {
    return (thread * this.#capacity + slot) * heldCounters;
  }

  #countOut(thread: number, slot: number): void {
    const at = this.#enteredAt(thread, slot);
    for (let counter = 0; counter < heldCounters; counter++) {
      const entered = Atomics.exchange(this.#entered, at + counter, 0);
      Atomics.sub(this.#counters, slot * (cellBytes / 4) + counter, entered);
    }
  }

  #clear(slot: number): void {
    for (let i = 0; i < countersPerCell; i++) Atomics.store(this.#counters, slot * (cellBytes / 4) + i, 0);
    const numbers = slot * (cellBytes / 8) + numbersPerCell;
    this.#numbers.fill(0, numbers, numbers + numbersPerCell);
  }
}

interface CellMemory {
  readonly slot: number;
  readonly counters: Int32Array;
  readonly numbers: Float64Array;
  readonly entered: Int32Array;
  /** Position of the increments of this thread. */
  readonly enteredBase: number;
}

class Cell implements SharedCell {
  readonly key: string;
  readonly #counters: Int32Array;
  readonly #numbers: Float64Array;
  readonly #entered: Int32Array;
  readonly #base: number;
  readonly #numberBase: number;
  readonly #enteredBase: number;
  /** `null` after the release. */
  #onRelease: ((key: string) => void) | null;

  constructor(
    key: string,
    { slot, counters, numbers, entered, enteredBase }: CellMemory,
    onRelease: (key: string) => void,
  ) {
    this.key = key;
    this.#counters = counters;
    this.#numbers = numbers;
    this.#entered = entered;
    this.#base = slot * (cellBytes / 4);
    this.#numberBase = slot * (cellBytes / 8) + numbersPerCell;
    this.#enteredBase = enteredBase;
    this.#onRelease = onRelease;
  }

  get(counter: number): number {
    return Atomics.load(this.#counters, this.#base + counter);
  }

  set(counter: number, value: number): void {
    Atomics.store(this.#counters, this.#base + counter, value);
  }

  add(counter: number, delta: number): number {
    return (Atomics.add(this.#counters, this.#base + counter, delta) + delta) | 0;
  }

  compareExchange(counter: number, expected: number, value: number): number {
    return Atomics.compareExchange(this.#counters, this.#base + counter, expected, value);
  }

  // No other thread accesses these values while the thread is alive.
  enter(counter: 0 | 1): number {
    const at = this.#enteredBase + counter;
    this.#entered[at] = wordAt(this.#entered, at) + 1;
    return this.add(counter, 1);
  }

  enterBelow(counter: 0 | 1, limit: number): boolean {
    for (;;) {
      const value = this.get(counter);
      if (value >= limit) return false;
      if (this.compareExchange(counter, value, value + 1) !== value) continue;
      const at = this.#enteredBase + counter;
      this.#entered[at] = wordAt(this.#entered, at) + 1;
      return true;
    }
  }

  leave(counter: 0 | 1): number {
    const at = this.#enteredBase + counter;
    this.#entered[at] = wordAt(this.#entered, at) - 1;
    return this.add(counter, -1);
  }

  owe(counter: 0 | 1): void {
    const at = this.#enteredBase + counter;
    this.#entered[at] = wordAt(this.#entered, at) - 1;
  }

  async wait(counter: number, value: number, time: number): Promise<void> {
    const waited = Atomics.waitAsync(this.#counters, this.#base + counter, value, time);
    if (waited.async) await waited.value;
  }

  notify(counter: number): void {
    Atomics.notify(this.#counters, this.#base + counter);
  }

  number(index: number): number {
    return floatAt(this.#numbers, this.#numberBase + index);
  }

  setNumber(index: number, value: number): void {
    this.#numbers[this.#numberBase + index] = value;
  }

  release(): void {
    const onRelease = this.#onRelease;
    this.#onRelease = null;
    onRelease?.(this.key);
  }
}

/** The cells of the thread: `context.use(sharedCellsToken)`. */
export const sharedCellsToken: Token<SharedCells> = token('shared-cells');
