import { unusedCell, type SharedCell } from '@sluice/threads';

/** Indexes of the numbers in the shared cell, which are times in milliseconds since the Unix epoch. */
const added = 0;
const unavailable = 1;

/** Times that determine the slow start of an address. All threads and all proxies with slow start share them. */
export class UpstreamPace {
  #cell: SharedCell;

  constructor(cell: SharedCell) {
    this.#cell = cell;
    if (cell.number(added) === 0) cell.setNumber(added, Date.now());
  }

  /**
   * Time when slow start began: when the address was added, or when it was last unavailable. A later recovery that a health check has
   * recorded takes precedence.
   */
  get since(): number {
    return Math.max(this.#cell.number(added), this.#cell.number(unavailable));
  }

  /** Records that the address is unhealthy or draining. */
  noteUnavailable(now: number): void {
    this.#cell.setNumber(unavailable, now);
  }

  /** Releases the state. Requests in flight may still use the upstream. */
  close(): void {
    this.#cell.release();
    this.#cell = unusedCell;
  }
}
