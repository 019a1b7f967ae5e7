/** Samples log entries: limits the number of similar entries per interval, across all threads. */
import type { SharedCell, SharedCells } from '@sluice/threads';
import type { LogEntry } from '@sluice/base';

export interface SamplingOptions {
  /** Interval length, in nanoseconds. */
  readonly interval?: number | null | undefined;
  readonly first?: number | null | undefined;
  readonly thereafter?: number | null | undefined;
}

/**
 * Counts similar entries per interval. In the shared cell, counter 0 holds the interval number, and counter 1 holds the number of entries.
 * The cell's floating-point number 0 holds the end time of the interval.
 */
class Count {
  readonly #cell: SharedCell | null;
  #count = 0;
  #ends = 0;

  constructor(cell: SharedCell | null) {
    this.#cell = cell;
  }

  /** Returns the 1-based sequence number of an entry within its interval. */
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
      // Several threads can detect the end of an interval. Only one of them starts the next interval.
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

/** Maximum number of distinct combinations of level and message. Entries beyond this limit are not sampled, but always written. */
const maxKinds = 256;

/** Samples the entries of one log. Entries with the same level and message count as similar. */
export class Sampling {
  readonly #interval: number;
  readonly #first: number;
  readonly #thereafter: number;
  readonly #cells: SharedCells | null;
  readonly #name: string;
  readonly #counts = new Map<string, Count>();

  /** `name` must be identical in all threads. If there are no shared cells, each thread counts only its own entries. */
  constructor(options: SamplingOptions, name: string, cells: SharedCells | null) {
    this.#interval = (options.interval || 1e9) / 1e6;
    this.#first = options.first || 100;
    this.#thereafter = options.thereafter || 100;
    this.#cells = cells;
    this.#name = name;
  }

  /** Counts a log entry and reports whether to write it. */
  keeps({ time, level, message }: LogEntry): boolean {
    const kind = `${level} ${message}`;
    let count = this.#counts.get(kind);
    if (count === undefined) {
      if (this.#counts.size >= maxKinds) return true;
      count = new Count(this.#cells?.acquire(`log-sampling ${this.#name} ${kind}`) ?? null);
      this.#counts.set(kind, count);
    }
    const number = count.next(time, this.#interval);
    return number <= this.#first || (number - this.#first) % this.#thereafter === 0;
  }

  /** Releases shared memory. */
  close(): void {
    for (const count of this.#counts.values()) count.release();
    this.#counts.clear();
  }
}
