/**
 * A fair semaphore for requests, in shared memory. Each request takes a ticket. It runs when fewer than `max` requests with earlier tickets
 * are incomplete. Tickets and completed requests have separate counters, which only increase. A thread that reads an outdated counter may
 * wait longer, but never admits a request too early.
 */
import { guarded, unawaited, type Guarded } from '@sluice/base';
import type { SharedCell } from '@sluice/threads';

/** Counters in the shared cell. When a thread dies, its contributions to counters 0 and 1 are corrected. */
const waiting = 0;
const completed = 1;
const tickets = 2;
/** Counter of queued tickets, including those of requests that have timed out. */
const queued = 3;

/**
 * Interval at which waiting threads check the semaphore even if there is no notification, in milliseconds. The check is needed because the
 * thread that should notify them may have died.
 */
const maxWait = 1000;

export interface LimitBounds {
  readonly max: number;
  readonly queue: number;
}

/** A request that waits in the queue. */
export interface Waiter {
  /** Called when the request may run. {@link FairLimit.complete} must be called after the request. */
  admit(ticket: number): void;
}

interface Place {
  readonly ticket: number;
  waiter: Waiter | null;
}

export interface FairLimitParts {
  readonly cell: SharedCell;
  /** Handles exceptions thrown by callbacks. */
  readonly task: Guarded;
  /** Returns the current limits, which can change. */
  readonly bounds: () => LimitBounds;
  /** Called when the thread has no more running or waiting requests for this limit. */
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

  /** True if requests are running or waiting in any thread. */
  get isBusy(): boolean {
    return ((this.#cell.get(tickets) - this.#cell.get(completed)) | 0) > 0;
  }

  /** Returns the number of incomplete requests with earlier tickets. */
  ahead(ticket: number): number {
    return (ticket - this.#cell.get(completed)) | 0;
  }

  /** Admits a request if it does not have to wait. Returns its ticket, or `null` if it must wait. */
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
   * Queues a request. Returns `null` if the queue is full. The returned function removes the request from the queue. It returns false if
   * the request was already admitted.
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

  /** Records that an admitted request is complete. */
  complete(): void {
    this.#running--;
    this.#finishTicket();
    this.#admitNext();
    this.#checkIdle();
  }

  /** Admits waiting requests in order. Repeats this whenever another thread completes a request. */
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
      // Defer the callback. Running handlers at this point could complete more requests recursively.
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
