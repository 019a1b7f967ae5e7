/**
 * Wakes the first requests of the queues when any upstream may have capacity. A thread waits for one counter, however
 * many upstreams its requests may use.
 */
import { guarded, taskOf, unawaited } from '@sluice/base';
import type { SharedCell } from '@sluice/threads';

/** Counters in the shared cell. Counter 0 is corrected when a thread dies. */
const watching = 0;
const freed = 2;

/**
 * Interval in milliseconds for detecting changes without a notification: recovered, drained or new upstreams, and
 * requests of dead threads.
 */
const maxWait = 250;

const task = taskOf('http.handlers.reverse_proxy');

/** One of the first requests in a queue. */
export interface PlaceWatcher {
  /** Called when an upstream may have capacity. */
  look(): void;
}

/** The first requests of all queues in this thread, in order of arrival. */
export class PlaceWatch {
  readonly #cell: SharedCell;
  readonly #front: PlaceWatcher[] = [];
  #isWatching = false;
  #isScheduled = false;

  constructor(cell: SharedCell) {
    this.#cell = cell;
  }

  /** Adds a request. It looks for an upstream now, and whenever one may have capacity again. */
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

  /** Notifies the waiting requests of all threads. */
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

  /** Deferred, because the completed request is still being processed. */
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
