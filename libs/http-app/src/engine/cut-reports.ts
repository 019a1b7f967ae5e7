/** Logs connections that were closed because of client behavior, and the reason. Rate-limited, so that clients can't flood the log. */
import type { Logger } from '@sluice/base';

/** Min interval between two entries of one listener, in milliseconds. */
const interval = 10_000;

export class CutReports {
  readonly #log: Logger;
  readonly #now: () => number;
  #next = 0;
  /** Reports since the last entry. */
  #unsaid = 0;

  constructor(log: Logger, now: () => number = () => performance.now()) {
    this.#log = log;
    this.#now = now;
  }

  /** Records that a connection from this address was cut. Called by the engines. */
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
