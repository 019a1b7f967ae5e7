/** Reports dropped log lines, at most once per interval. The report is a log line too, and may go to the same output. */
import { guarded, taskOf, type LogFields, type Logger } from '@sluice/base';

/** Minimum interval between reports about dropped log lines, in milliseconds. */
const pause = 5000;

/** Counts the dropped lines of one log output and logs the count. */
export class DropReport {
  readonly #log: Logger;
  readonly #where: string;
  readonly #fields: LogFields;
  #total = 0;
  #unreported = 0;
  #saidAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;

  /** `where` is appended to "log lines dropped" in the report message. */
  constructor(log: Logger, where: string, fields: LogFields = {}) {
    this.#log = log;
    this.#where = where;
    this.#fields = fields;
  }

  /** Total number of dropped log lines. */
  get total(): number {
    return this.#total;
  }

  /** Counts dropped lines. Reports them immediately, or at the end of the current interval. */
  add(lines: number): void {
    if (lines === 0) return;
    this.#total += lines;
    this.#unreported += lines;
    if (this.#timer !== null) return;
    const wait = this.#saidAt + pause - performance.now();
    this.#timer = setTimeout(
      guarded(taskOf('caddy.logging'), () => this.say()),
      Math.max(0, wait),
    ).unref();
  }

  /** Reports dropped lines that have not been reported yet. Call before disposal. */
  say(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#unreported === 0) return;
    this.#saidAt = performance.now();
    const lines = this.#unreported;
    this.#unreported = 0;
    this.#log.error(`log lines dropped ${this.#where}`, { ...this.#fields, lines, total: this.#total });
  }
}
