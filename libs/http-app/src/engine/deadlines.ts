/**
 * Time-outs of many connections by one timer. Connections keep their deadlines themselves; here it is only known when the
 * next one can be due, so that setting a deadline costs a comparison.
 */

import { guarded, taskOf } from '@sluice/base';

/** Deadlines are met this many milliseconds late at most. */
const slack = 50;
/** A timer cannot be longer. */
const longest = 2 ** 30;

/** A sweep guards each connection; what fails beyond that must not end the server. */
const task = taskOf('http');

/** Wakes its owner when a deadline may have passed. */
export class Deadlines {
  /** When the timer is due, in milliseconds of `performance.now()`. */
  #due = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;
  readonly #sweep: (now: number) => number;

  /** `sweep` deals with all deadlines up to `now`, and returns the next one. */
  constructor(sweep: (now: number) => number) {
    this.#sweep = sweep;
  }

  add(deadline: number): void {
    if (deadline + slack < this.#due) this.#arm(deadline);
  }

  /** Forgets everything. */
  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#due = Number.POSITIVE_INFINITY;
  }

  #arm(deadline: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#due = deadline + slack;
    this.#timer = setTimeout(this.#fire, Math.min(longest, Math.max(1, this.#due - performance.now())));
    this.#timer.unref();
  }

  /**
   * Node runs timers before it reads sockets: after the thread was busy for long, requests that came in time would find their
   * connections closed. So sockets are read first.
   */
  readonly #fire = guarded(task, () => {
    this.#timer = null;
    setImmediate(this.#look);
  });

  readonly #look = guarded(task, () => {
    // Stopped in between.
    if (this.#due === Number.POSITIVE_INFINITY) return;
    this.stop();
    const next = this.#sweep(performance.now());
    if (next !== Number.POSITIVE_INFINITY) this.add(next);
  });
}
