/**
 * The requests of one key: a fair semaphore in shared memory. Each request takes a ticket, and runs when fewer than `max` requests with
 * earlier tickets are incomplete. Tickets and completed requests are counted separately, and both counters only grow, so a thread that reads
 * one of them late waits longer, but never lets a request in too early.
 */
import { guarded, taskOf, unawaited } from '@sluice/base';
import type { SharedCell } from '@sluice/threads';

/** Counters of the cell. 0 and 1 are corrected when a thread dies. */
const waiting = 0;
const completed = 1;
const tickets = 2;
/** Tickets in queues, including those of requests that gave up. */
const queued = 3;

/** Interval in milliseconds at which waiting threads look without being notified, for example because the notifying thread died. */
const maxWait = 1000;

const task = taskOf('http.handlers.concurrency_limit');

/** Bounds of a limit. */
export interface LimitBounds {
  readonly max: number;
  readonly queue: number;
}

/** A request in the queue. */
export interface Waiter {
  /** The request runs now; call {@link KeyLimit.complete} when it is over. */
  admit(): void;
}

interface Place {
  readonly ticket: number;
  /** `null` after it gave up. Its ticket stays in the queue until its turn. */
  waiter: Waiter | null;
}

/** The requests of a key in one thread. */
export class KeyLimit {
  readonly key: string;
  readonly #cell: SharedCell;
  readonly #bounds: () => LimitBounds;
  readonly #onIdle: (limit: KeyLimit) => void;
  readonly #queue: Place[] = [];
  #running = 0;
  #isWatching = false;

  /** `bounds` returns the current bounds, which may change. */
  constructor(key: string, cell: SharedCell, bounds: () => LimitBounds, onIdle: (limit: KeyLimit) => void) {
    this.key = key;
    this.#cell = cell;
    this.#bounds = bounds;
    this.#onIdle = onIdle;
  }

  /** Requests of this thread. */
  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#queue.reduce((sum, { waiter }) => sum + (waiter === null ? 0 : 1), 0);
  }

  /** Admits a request if it need not wait. */
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
   * Queues a request unless the queue is full. Returns a function that takes it out of the queue, or `null`. The function returns false if
   * the request is already admitted.
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

  /** Admits waiting requests whose turn it is, now and whenever another thread completes a request. */
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
      // The handlers that run now may complete further requests.
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
