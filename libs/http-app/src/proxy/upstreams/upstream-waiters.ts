/** Requests in all threads and proxies that wait until an upstream has capacity. */
import type { SharedCell } from '@sluice/threads';

/** Counter in the shared cell, which is corrected when a thread dies. */
const waiting = 0;

export interface PlaceListener {
  /** Called when a request has completed at an address that other requests wait for. */
  freed(): void;
  /** Called when the address is no longer used. */
  close(): void;
}

/** Requests that wait for an address. A request that may use several addresses counts at each. */
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
