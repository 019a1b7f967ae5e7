/**
 * Cells of shared memory that any thread finds by a key, without a message: what has to be exact over all workers, such
 * as the requests in flight to an upstream, or whose turn it is. Finding a cell takes microseconds and belongs into
 * `provision`; using one is an atomic instruction.
 */
import { token, type Token } from '@sluice/registry';
import { SlotTable, type SharedCellsMemory } from './slot-table.ts';

export { allocateSharedCells, type SharedCellsMemory } from './slot-table.ts';

/**
 * One cell: 8 counters of 32 bits and 4 floating-point numbers, all 0 when the key is new. Two cells of one key, in one
 * thread or in two, are the same memory. Do not use it after {@link release}.
 */
export interface SharedCell {
  readonly key: string;
  /** The value of counter 0 … 7. */
  get(counter: number): number;
  set(counter: number, value: number): void;
  /** Adds to a counter, and gives the new value. */
  add(counter: number, delta: number): number;
  /** Sets a counter if it still has the expected value; gives the value found. */
  compareExchange(counter: number, expected: number, value: number): number;
  /**
   * Counts something in that {@link leave} counts out, such as a request; gives the new value. For counters 0 and 1 only.
   * What a thread has counted in is counted out for it when it dies or lets go of the cell.
   */
  enter(counter: 0 | 1): number;
  leave(counter: 0 | 1): number;
  /** The value of number 0 … 3; the last one to set it wins. */
  number(index: number): number;
  setNumber(index: number, value: number): void;
  /** Lets go. When no thread holds the key any more the cell is free for another. Idempotent. */
  release(): void;
}

const countersPerCell = 8;
const numbersPerCell = 4;
/** Counters and numbers of a cell fill one line of the processor's cache. */
const cellBytes = 64;
/** How many counters know who counted in. */
const heldCounters = 2;

interface Holding {
  readonly slot: number;
  users: number;
}

/** The cells as one thread sees them. */
export class SharedCells {
  readonly #table: SlotTable;
  readonly #counters: Int32Array;
  readonly #numbers: Float64Array;
  /** Per thread and slot: what was counted in and not yet out. */
  readonly #entered: Int32Array;
  readonly #capacity: number;
  readonly #thread: number;
  readonly #holdings = new Map<string, Holding>();

  /** `thread` is the number of the calling thread; no two threads that live may have the same. */
  constructor(memory: SharedCellsMemory, thread: number) {
    this.#table = new SlotTable(memory, thread, (slot) => this.#clear(slot));
    this.#capacity = memory.capacity;
    this.#thread = thread;
    this.#counters = new Int32Array(memory.values);
    this.#numbers = new Float64Array(memory.values);
    this.#entered = new Int32Array(memory.entered);
  }

  /** The cell of a key. An error of code `ERR_CELLS_FULL` when every cell is taken by another. */
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
      () => this.#release(key),
    );
  }

  /** How many cells are in use by any thread. Looks at every slot. */
  inUse(): number {
    return this.#table.count();
  }

  /** Undoes what a dead thread held and had counted in. Called by the control thread before its number is used again. */
  reap(thread: number): void {
    this.#table.reap(thread, (slot) => this.#countOut(thread, slot));
  }

  #release(key: string): void {
    const holding = this.#holdings.get(key);
    if (holding === undefined || --holding.users > 0) return;
    this.#holdings.delete(key);
    this.#countOut(this.#thread, holding.slot);
    this.#table.release(holding.slot);
  }

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

/** The memory of the cells, and where in it one cell is. */
interface CellMemory {
  readonly slot: number;
  readonly counters: Int32Array;
  readonly numbers: Float64Array;
  readonly entered: Int32Array;
  /** Where the thread notes what it has counted in. */
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
  #letGo: (() => void) | null;

  constructor(key: string, { slot, counters, numbers, entered, enteredBase }: CellMemory, letGo: () => void) {
    this.key = key;
    this.#counters = counters;
    this.#numbers = numbers;
    this.#entered = entered;
    this.#base = slot * (cellBytes / 4);
    this.#numberBase = slot * (cellBytes / 8) + numbersPerCell;
    this.#enteredBase = enteredBase;
    this.#letGo = letGo;
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

  // What a thread has counted in is its own until it is dead: no other one writes there, or reads, before that.
  enter(counter: 0 | 1): number {
    const at = this.#enteredBase + counter;
    this.#entered[at] = (this.#entered[at] as number) + 1;
    return this.add(counter, 1);
  }

  leave(counter: 0 | 1): number {
    const at = this.#enteredBase + counter;
    this.#entered[at] = (this.#entered[at] as number) - 1;
    return this.add(counter, -1);
  }

  number(index: number): number {
    return this.#numbers[this.#numberBase + index] as number;
  }

  setNumber(index: number, value: number): void {
    this.#numbers[this.#numberBase + index] = value;
  }

  release(): void {
    const letGo = this.#letGo;
    this.#letGo = null;
    letGo?.();
  }
}

/** The cells of the thread: `context.use(sharedCellsToken)`. */
export const sharedCellsToken: Token<SharedCells> = token('shared-cells');
