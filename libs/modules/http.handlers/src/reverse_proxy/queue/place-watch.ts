/**
 * Wakes the first requests in the queues when any upstream may have capacity. Each thread waits for a single counter, regardless of the
 * number of upstreams that its requests may use.
 */
import { guarded, taskOf, unawaited } from '@sluice/base';
import type { SharedCell } from '@sluice/threads';

/** Counters in the shared cell. When a thread dies, its contributions to counter 0 are corrected. */
const watching = 0;
const freed = 2;

/**
 * Interval for detecting changes that cause no notification, in milliseconds. Examples are recovered, drained or new upstreams, and
 * requests of threads that died.
 */
const maxWait = 250;

const task = taskOf('http.handlers.reverse_proxy');

/** A request at the front of a queue. */
export interface PlaceWatcher {
  /** Called when an upstream may have capacity. */
  look(): void;
}

/** Requests at the front of all queues in this thread, in order of arrival. */
export class PlaceWatch {
  readonly #cell: SharedCell;
  readonly #front: PlaceWatcher[] = [];
  #isWatching = false;
  #isScheduled = false;

  constructor(cell: SharedCell) {
    this.#cell = cell;
  }

  /** Adds a request. The request looks for an upstream immediately, and whenever an upstream may have capacity again. */
  add(request: PlaceWatcher): void {
    this.#front.push(request);
    this.#cell.enter(watching);
    if (this.#isWatching) {
      request.look();
      return;
    }
    this.#isWatching = true;
    unawaited(task, this.#watch());
  }

  delete(request: PlaceWatcher): void {
    const at = this.#front.indexOf(request);
    if (at < 0) return;
    this.#front.splice(at, 1);
    this.#cell.leave(watching);
  }

  /** Notifies the waiting requests in all threads that there is capacity. */
  freed(): void {
    if (this.#front.length > 0) this.#lookSoon();
    if (this.#cell.get(watching) <= this.#front.length) return;
    this.#cell.add(freed, 1);
    this.#cell.notify(freed);
  }

  close(): void {
    this.#cell.release();
  }

  async #watch(): Promise<void> {
    while (this.#front.length > 0) {
      const count = this.#cell.get(freed);
      this.#look();
      if (this.#front.length > 0) await this.#cell.wait(freed, count, maxWait);
    }
    this.#isWatching = false;
  }

  /** Defers the search for an upstream, because the request that has completed is still being processed. */
  #lookSoon(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(this.#lookLater);
  }

  readonly #lookLater = guarded(task, () => {
    this.#isScheduled = false;
    this.#look();
  });

  #look(): void {
    for (const request of [...this.#front]) request.look();
  }
}
