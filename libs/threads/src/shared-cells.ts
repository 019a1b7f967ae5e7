/**
 * Shared memory cells that all threads look up by key, without messages. They store state that must be exact across workers, such as an
 * upstream's in-flight requests or a round-robin position.
 *
 * Acquiring a cell takes microseconds, so acquire cells in `provision`. Each use takes a single atomic instruction.
 */
import { wordAt, floatAt } from '@sluice/base';
import { token, type Token } from '@sluice/registry';
import { SlotTable, type SharedCellsMemory } from './slot-table.ts';

/**
 * A cell: eight 32-bit counters and four floating-point numbers, initially 0. All cells with the same key share the same memory, in any
 * thread. Don't use a cell after {@link release}.
 */
export interface SharedCell {
  readonly key: string;
  get(counter: number): number;
  set(counter: number, value: number): void;
  /** Adds `delta` to a counter and returns the new value. */
  add(counter: number, delta: number): number;
  /** Sets a counter to `value` if it has the expected value. Returns the value before the call. */
  compareExchange(counter: number, expected: number, value: number): number;
  /**
   * Increments counter 0 or 1 until {@link leave} is called, for example during a request. Returns the new value.
   *
   * If the thread dies or releases the cell, the thread's increments are undone.
   */
  enter(counter: 0 | 1): number;
  /** Increments the counter like {@link enter}, but only if it is less than `limit`. Returns true if the counter was incremented. */
  enterBelow(counter: 0 | 1, limit: number): boolean;
  leave(counter: 0 | 1): number;
  /**
   * Commits this thread to {@link enter} a counter later. If the thread dies or releases the cell before that, the counter is incremented
   * on its behalf. This is used, for example, to count a request as completed.
   */
  owe(counter: 0 | 1): void;
  /**
   * Waits until a thread calls {@link notify} for the counter, for at most `time` milliseconds. Resolves immediately if the counter does
   * not equal `value`.
   */
  wait(counter: number, value: number, time: number): Promise<void>;
  /** Wakes all threads that are waiting for a counter. */
  notify(counter: number): void;
  /** Returns the floating-point number at `index`, which is 0 to 3. Concurrent writes are not synchronized: the last write wins. */
  number(index: number): number;
  setNumber(index: number, value: number): void;
  /** Releases the cell. After all threads have released a key, its memory can be reused for another key. Idempotent. */
  release(): void;
}

const countersPerCell = 8;
const numbersPerCell = 4;
/** Size of a cell in bytes. Its counters and numbers fill one cache line. */
const cellBytes = 64;
/** Number of counters per cell that track each thread's increments. */
const heldCounters = 2;

interface Holding {
  readonly slot: number;
  users: number;
}

/** One thread's view of the shared cells. */
export class SharedCells {
  readonly #table: SlotTable;
  readonly #counters: Int32Array;
  readonly #numbers: Float64Array;
  /** Increments that have not been undone, by thread and slot. */
  readonly #entered: Int32Array;
  readonly #capacity: number;
  readonly #thread: number;
  readonly #holdings = new Map<string, Holding>();

  /** `thread` is the number of the calling thread. It must be unique among running threads. */
  constructor(memory: SharedCellsMemory, thread: number) {
    this.#table = new SlotTable(memory, thread, (slot) => this.#clear(slot));
    this.#capacity = memory.capacity;
    this.#thread = thread;
    this.#counters = new Int32Array(memory.values);
    this.#numbers = new Float64Array(memory.values);
    this.#entered = new Int32Array(memory.entered);
  }

  /** Returns the cell for a key. Throws ERR_CELLS_FULL if all cells are in use. */
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

  /** Returns the number of cells in use by any thread. Visits every slot. */
  inUse(): number {
    return this.#table.count();
  }

  /**
   * Releases the cells of a dead thread and undoes its increments. The control thread must call this method before the thread number is
   * reused.
   */
  reap(thread: number): void {
    this.#table.reap(thread, (slot) => this.#countOut(thread, slot));
  }

  /** Release callback, which each cell calls once. All cells share one function object. */
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
  /** Index of this thread's increments. */
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
  /** Release callback, or `null` after the cell has been released. */
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

  // While this thread runs, no other thread accesses its increments, so atomic instructions are not needed for them.
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

/** Service token for a thread's shared cells: `context.use(sharedCellsToken)`. */
export const sharedCellsToken: Token<SharedCells> = token('shared-cells');
