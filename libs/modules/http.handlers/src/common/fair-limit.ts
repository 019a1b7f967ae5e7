/**
 * A fair semaphore for requests in shared memory. Each request takes a ticket, and runs when fewer than `max` requests
 * with earlier tickets are incomplete. Tickets and completed requests have separate counters, which only grow. A thread
 * that reads an outdated counter waits longer, but never admits a request too early.
 */
import { guarded, unawaited, type Guarded } from '@sluice/base';
import type { SharedCell } from '@sluice/threads';

/** Counters in the shared cell. Counters 0 and 1 are corrected when a thread dies. */
const waiting = 0;
const completed = 1;
const tickets = 2;
/** Number of tickets in queues, including those of requests that timed out. */
const queued = 3;

/**
 * Interval at which waiting threads check without a notification, in milliseconds, because the notifying thread may
 * have died.
 */
const maxWait = 1000;

export interface LimitBounds {
  readonly max: number;
  readonly queue: number;
}

/** A request in the queue. */
export interface Waiter {
  /** Called when the request may run. Call {@link FairLimit.complete} after the request. */
  admit(ticket: number): void;
}

interface Place {
  readonly ticket: number;
  waiter: Waiter | null;
}

export interface FairLimitParts {
  readonly cell: SharedCell;
  /** Handles exceptions in callbacks. */
  readonly task: Guarded;
  /** Returns the current bounds, which can change. */
  readonly bounds: () => LimitBounds;
  /** Called when the thread has no more requests of this limit. */
  readonly onIdle: () => void;
}

export class FairLimit {
  readonly #cell: SharedCell;
  readonly #task: Guarded;
  readonly #bounds: () => LimitBounds;
  readonly #onIdle: () => void;
  readonly #queue: Place[] = [];
  #running = 0;
  #isWatching = false;

  constructor({ cell, task, bounds, onIdle }: FairLimitParts) {
    this.#cell = cell;
    this.#task = task;
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

  /** True if requests of any thread are running or waiting. */
  get isBusy(): boolean {
    return ((this.#cell.get(tickets) - this.#cell.get(completed)) | 0) > 0;
  }

  /** Returns the number of incomplete requests that arrived earlier. */
  ahead(ticket: number): number {
    return (ticket - this.#cell.get(completed)) | 0;
  }

  /** Admits a request if it need not wait. Returns its ticket; otherwise `null`. */
  enter(): number | null {
    const cell = this.#cell;
    const { max } = this.#bounds();
    for (;;) {
      const ticket = cell.get(tickets);
      if (((ticket - cell.get(completed)) | 0) >= max) return null;
      if (cell.compareExchange(tickets, ticket, (ticket + 1) | 0) !== ticket) continue;
      cell.owe(completed);
      this.#running++;
      return ticket;
    }
  }

  /**
   * Queues a request; returns `null` if the queue is full. The returned function removes the request from the queue,
   * and returns false if it was already admitted.
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
    unawaited(this.#task, this.#watchOthers());
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
      const { ticket, waiter } = place;
      if (this.ahead(ticket) >= this.#bounds().max) return;
      this.#queue.shift();
      cell.add(queued, -1);
      if (waiter === null) {
        this.#finishTicket();
        continue;
      }
      place.waiter = null;
      cell.leave(waiting);
      this.#running++;
      // Running the handlers now could complete more requests recursively.
      queueMicrotask(guarded(this.#task, () => waiter.admit(ticket)));
    }
  }

  #finishTicket(): void {
    this.#cell.enter(completed);
    if (this.#cell.get(queued) > 0) this.#cell.notify(completed);
  }

  #checkIdle(): void {
    if (this.#running === 0 && this.#queue.length === 0 && !this.#isWatching) this.#onIdle();
  }
}
