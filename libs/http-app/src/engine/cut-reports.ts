/** Says in the log which connections were cut for what their clients do, and why; clients must not fill the log with it. */
import type { Logger } from '@sluice/base';

/** Milliseconds between two entries of one listener. */
const interval = 10_000;

/** Reports of one listener. */
export class CutReports {
  readonly #log: Logger;
  readonly #now: () => number;
  #next = 0;
  /** How many there were since the last entry. */
  #unsaid = 0;

  constructor(log: Logger, now: () => number = () => performance.now()) {
    this.#log = log;
    this.#now = now;
  }

  /** A connection of this address is cut. Called by the engines. */
  report(remote: string, reason: string): void {
    const now = this.#now();
    if (now < this.#next) {
      this.#unsaid++;
      return;
    }
    this.#next = now + interval;
    this.#log.warn('closed connection because of client behavior', { remote, reason, unsaid: this.#unsaid });
    this.#unsaid = 0;
  }
}
