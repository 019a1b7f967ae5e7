/** Requests that wait for a place at an address, across all threads and proxies. */
import type { SharedCell } from '@sluice/threads';

/** Counter of the cell, which is undone when a thread dies. */
const waiting = 0;

/** Receives free places. */
export interface PlaceListener {
  /** A request completed at an address that other requests wait for. */
  freed(): void;
  /** The address is no longer used. */
  close(): void;
}

/** Waiting requests of an address. A request that may use several addresses counts at each. */
export class UpstreamWaiters {
  readonly #cell: SharedCell;
  readonly #listener: PlaceListener;
  #here = 0;

  constructor(cell: SharedCell, listener: PlaceListener) {
    this.#cell = cell;
    this.#listener = listener;
  }

  /** Number of waiting requests, across all threads. */
  get count(): number {
    return this.#cell.get(waiting);
  }

  /** Number of waiting requests of this thread. */
  get here(): number {
    return this.#here;
  }

  enter(): void {
    this.#here++;
    this.#cell.enter(waiting);
  }

  leave(): void {
    this.#here--;
    this.#cell.leave(waiting);
  }

  /** A request completed. */
  freed(): void {
    if (this.#cell.get(waiting) > 0) this.#listener.freed();
  }

  close(): void {
    this.#cell.release();
    this.#listener.close();
  }
}
