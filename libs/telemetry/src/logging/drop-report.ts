/** Reports dropped lines at intervals. A report is itself a log line, perhaps for the same output. */
import { guarded, taskOf, type LogFields, type Logger } from '@sluice/base';

/** Minimum interval between reports, in milliseconds. */
const pause = 5000;

/** Counts dropped lines of one output. */
export class DropReport {
  readonly #log: Logger;
  readonly #where: string;
  readonly #fields: LogFields;
  #total = 0;
  #unreported = 0;
  #saidAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;

  /** `where` follows "log lines dropped" in the report. */
  constructor(log: Logger, where: string, fields: LogFields = {}) {
    this.#log = log;
    this.#where = where;
    this.#fields = fields;
  }

  /** Total number of dropped lines. */
  get total(): number {
    return this.#total;
  }

  /** Counts dropped lines, and reports them immediately or after the interval. */
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

  /** Reports the lines that have not been reported yet. Called before disposal. */
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
