/**
 * Requests with one key: a fair semaphore in shared memory. Each request takes a ticket, and runs when fewer than `max` requests with
 * earlier tickets are incomplete. Tickets and completed requests have separate counters, which only grow. A thread that reads an outdated
 * counter waits longer, but never admits a request too early.
 */
import { guarded, taskOf, unawaited } from '@sluice/base';
import type { SharedCell } from '@sluice/threads';

/** Counters of the cell. 0 and 1 are corrected when a thread dies. */
const waiting = 0;
const completed = 1;
const tickets = 2;
/** Tickets in queues, including tickets of requests that timed out. */
const queued = 3;

/** Interval in milliseconds at which waiting threads check without a notification, for example because the notifying thread died. */
const maxWait = 1000;

const task = taskOf('http.handlers.concurrency_limit');

/** Bounds of a limit. */
export interface LimitBounds {
  readonly max: number;
  readonly queue: number;
}

/** A request in the queue. */
export interface Waiter {
  /** Called when the request may run; call {@link KeyLimit.complete} after the request. */
  admit(): void;
}

interface Place {
  readonly ticket: number;
  /** `null` after the request timed out. The ticket stays in the queue until its turn. */
  waiter: Waiter | null;
}

/** Requests with one key in one thread. */
export class KeyLimit {
  readonly key: string;
  readonly #cell: SharedCell;
  readonly #bounds: () => LimitBounds;
  readonly #onIdle: (limit: KeyLimit) => void;
  readonly #queue: Place[] = [];
  #running = 0;
  #isWatching = false;

  /** `bounds` returns the current bounds, which can change. */
  constructor(key: string, cell: SharedCell, bounds: () => LimitBounds, onIdle: (limit: KeyLimit) => void) {
    this.key = key;
    this.#cell = cell;
    this.#bounds = bounds;
    this.#onIdle = onIdle;
  }

  /** Number of running requests in this thread. */
  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#queue.reduce((sum, { waiter }) => sum + (waiter === null ? 0 : 1), 0);
  }

  /** Admits a request if the request does not have to wait. */
  enter(): boolean {
    const cell = this.#cell;
    const { max } = this.#bounds();
    for (;;) {
      const ticket = cell.get(tickets);
      if (((ticket - cell.get(completed)) | 0) >= max) return false;
      if (cell.compareExchange(tickets, ticket, (ticket + 1) | 0) !== ticket) continue;
      cell.owe(completed);
      this.#running++;
      return true;
    }
  }

  /**
   * Queues a request unless the queue is full. Returns a function that removes the request from the queue; `null` if the queue is full. The
   * function returns false if the request was already admitted.
   */
  queue(waiter: Waiter): (() => boolean) | null {
    const cell = this.#cell;
    if (cell.enter(waiting) > this.#bounds().queue) {
      cell.leave(waiting);
      return null;
    }
    cell.add(queued, 1);
    const place: Place = { ticket: (cell.add(tickets, 1) - 1) | 0, waiter };
    cell.owe(completed);
    this.#queue.push(place);
    this.watch();
    return () => {
      if (place.waiter === null) return false;
      place.waiter = null;
      cell.leave(waiting);
      return true;
    };
  }

  /** Counts an admitted request as complete. */
  complete(): void {
    this.#running--;
    this.#finishTicket();
    this.#admitNext();
    this.#checkIdle();
  }

  /** Admits waiting requests in order, now and whenever another thread completes a request. */
  watch(): void {
    this.#admitNext();
    if (this.#isWatching || this.#queue.length === 0) return;
    this.#isWatching = true;
    unawaited(task, this.#watchOthers());
  }

  close(): void {
    this.#cell.release();
  }

  async #watchOthers(): Promise<void> {
    while (this.#queue.length > 0) {
      const count = this.#cell.get(completed);
      this.#admitNext();
      if (this.#queue.length > 0) await this.#cell.wait(completed, count, maxWait);
    }
    this.#isWatching = false;
    this.#checkIdle();
  }

  #admitNext(): void {
    const cell = this.#cell;
    for (let place = this.#queue[0]; place !== undefined; place = this.#queue[0]) {
      if (((place.ticket - cell.get(completed)) | 0) >= this.#bounds().max) return;
      this.#queue.shift();
      cell.add(queued, -1);
      const { waiter } = place;
      if (waiter === null) {
        this.#finishTicket();
        continue;
      }
      place.waiter = null;
      cell.leave(waiting);
      this.#running++;
      // Running the handlers now could complete further requests recursively.
      queueMicrotask(guarded(task, () => waiter.admit()));
    }
  }

  #finishTicket(): void {
    this.#cell.enter(completed);
    if (this.#cell.get(queued) > 0) this.#cell.notify(completed);
  }

  #checkIdle(): void {
    if (this.#running === 0 && this.#queue.length === 0 && !this.#isWatching) this.#onIdle(this);
  }
}
