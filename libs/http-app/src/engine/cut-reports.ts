/**
 * Logs the reason when a connection is closed because of client behavior. The log entries are rate-limited, so that clients cannot flood
 * the log.
 */
import type { Logger } from '@sluice/base';

/** Minimum interval between two log entries of one listener, in milliseconds. */
const interval = 10_000;

export class CutReports {
  readonly #log: Logger;
  readonly #now: () => number;
  #next = 0;
  #unsaid = 0;

  constructor(log: Logger, now: () => number = () => performance.now()) {
    this.#log = log;
    this.#now = now;
  }

  /** Records that a connection from this address was closed. The HTTP engines call this method. */
  report(remote: string, reason: string): void {
    const now = this.#now();
    if (now < this.#next) {
      this.#unsaid++;
      return;
    }
    this.#next = now + interval;
    this.#log.warn('closed connection of an abusive client', { remote, reason, unsaid: this.#unsaid });
    this.#unsaid = 0;
  }
}
