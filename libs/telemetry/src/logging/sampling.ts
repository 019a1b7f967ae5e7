/** Sampling: of many like entries in a short time only some are written, whatever the number of threads that make them. */
import type { SharedCell, SharedCells } from '@sluice/threads';
import type { LogEntry } from '@sluice/base';

/** How entries are sampled; see the options of a log. */
export interface SamplingOptions {
  /** Nanoseconds. */
  readonly interval?: number | null | undefined;
  readonly first?: number | null | undefined;
  readonly thereafter?: number | null | undefined;
}

/** Counts like entries of an interval. Counter 0 of its cell counts intervals, counter 1 entries; number 0 is when the interval ends. */
class Count {
  readonly #cell: SharedCell | null;
  #count = 0;
  #ends = 0;

  constructor(cell: SharedCell | null) {
    this.#cell = cell;
  }

  /** The number of an entry in its interval, from 1. */
  next(time: number, interval: number): number {
    const cell = this.#cell;
    if (cell === null) {
      if (time >= this.#ends) {
        this.#ends = time + interval;
        this.#count = 0;
      }
      return ++this.#count;
    }
    if (time >= cell.number(0)) {
      const before = cell.get(0);
      // Of the threads that see the end of an interval one begins the next.
      if (cell.compareExchange(0, before, before + 1) === before && time >= cell.number(0)) {
        cell.set(1, 0);
        cell.setNumber(0, time + interval);
      }
    }
    return cell.add(1, 1);
  }

  release(): void {
    this.#cell?.release();
  }
}

/** So many kinds of entries are distinguished; others are all written. */
const mostKinds = 256;

/** Decides which entries of one log are written. Entries of one level and message are alike. */
export class Sampling {
  readonly #interval: number;
  readonly #first: number;
  readonly #thereafter: number;
  readonly #cells: SharedCells | null;
  readonly #name: string;
  readonly #counts = new Map<string, Count>();

  /** `name` is the same in every thread; without cells this thread counts for itself. */
  constructor(options: SamplingOptions, name: string, cells: SharedCells | null) {
    this.#interval = (options.interval || 1e9) / 1e6;
    this.#first = options.first || 100;
    this.#thereafter = options.thereafter || 100;
    this.#cells = cells;
    this.#name = name;
  }

  /** Counts an entry, and tells whether it is to be written. */
  keeps({ time, level, message }: LogEntry): boolean {
    const kind = `${level} ${message}`;
    let count = this.#counts.get(kind);
    if (count === undefined) {
      if (this.#counts.size >= mostKinds) return true;
      count = new Count(this.#cells?.acquire(`log-sampling ${this.#name} ${kind}`) ?? null);
      this.#counts.set(kind, count);
    }
    const number = count.next(time, this.#interval);
    return number <= this.#first || (number - this.#first) % this.#thereafter === 0;
  }

  /** Lets go of shared memory. */
  close(): void {
    for (const count of this.#counts.values()) count.release();
    this.#counts.clear();
  }
}
