/** Requests that wait for upstream capacity, from all threads and proxies. */
import type { SharedCell } from '@sluice/threads';

/** Index of a counter in the shared memory cell, which is corrected when a thread dies. */
const waiting = 0;

export interface PlaceListener {
  /** Called when a request completes at an address that other requests are waiting for. */
  freed(): void;
  /** Called when no proxy uses the address anymore. */
  close(): void;
}

/** Requests that wait for capacity at an address. A request that can use several addresses is counted at each of them. */
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

  freed(): void {
    if (this.#cell.get(waiting) > 0) this.#listener.freed();
  }

  close(): void {
    this.#cell.release();
    this.#listener.close();
  }
}
