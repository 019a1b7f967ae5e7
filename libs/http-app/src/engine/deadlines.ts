/**
 * Handles the timeouts of many connections with a single timer. Each connection stores its deadline. This class only tracks the earliest
 * deadline, so setting a deadline costs one comparison.
 */

import { guarded, taskOf } from '@sluice/base';

/** Maximum delay in handling a deadline, in milliseconds. */
const slack = 50;
/** Maximum delay that is passed to a Node timer, in milliseconds. */
const maxTimeout = 2 ** 30;

/** Each connection has its own guard. This guard covers all other failures, which must not stop the server. */
const task = taskOf('http');

/** Notifies the owner of this object when a deadline may have passed. */
export class Deadlines {
  /** Time at which the timer fires, as a `performance.now()` timestamp. */
  #due = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;
  readonly #sweep: (now: number) => number;

  /** `sweep` handles all deadlines up to `now`, and returns the next deadline. */
  constructor(sweep: (now: number) => number) {
    this.#sweep = sweep;
  }

  add(deadline: number): void {
    if (deadline + slack < this.#due) this.#arm(deadline);
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#due = Number.POSITIVE_INFINITY;
  }

  #arm(deadline: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#due = deadline + slack;
    this.#timer = setTimeout(this.#fire, Math.min(maxTimeout, Math.max(1, this.#due - performance.now())));
    this.#timer.unref();
  }

  /**
   * Node runs timers before it reads sockets, so wait until sockets have been read. Otherwise, if the thread was blocked, requests that
   * arrived in time would time out.
   */
  readonly #fire = guarded(task, () => {
    this.#timer = null;
    setImmediate(this.#look);
  });

  readonly #look = guarded(task, () => {
    // The timer has been stopped in the meantime.
    if (this.#due === Number.POSITIVE_INFINITY) return;
    this.stop();
    const next = this.#sweep(performance.now());
    if (next !== Number.POSITIVE_INFINITY) this.add(next);
  });
}
