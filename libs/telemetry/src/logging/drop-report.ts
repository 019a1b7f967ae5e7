/** Says that lines were dropped, and how many, now and then: the report is a line itself, perhaps for the same output. */
import { guarded, taskOf, type LogFields, type Logger } from '@sluice/base';

/** Least time between two reports, in milliseconds. */
const pause = 5000;

/** Counts lines that were dropped in one place. */
export class DropReport {
  readonly #log: Logger;
  readonly #where: string;
  readonly #fields: LogFields;
  #total = 0;
  #unsaid = 0;
  #saidAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;

  /** `where` follows “log lines were dropped” in the report. */
  constructor(log: Logger, where: string, fields: LogFields = {}) {
    this.#log = log;
    this.#where = where;
    this.#fields = fields;
  }

  /** How many in all. */
  get total(): number {
    return this.#total;
  }

  /** Counts, and reports at once or a little later. */
  add(lines: number): void {
    if (lines === 0) return;
    this.#total += lines;
    this.#unsaid += lines;
    if (this.#timer !== null) return;
    const wait = this.#saidAt + pause - performance.now();
    this.#timer = setTimeout(
      guarded(taskOf('caddy.logging'), () => this.say()),
      Math.max(0, wait),
    ).unref();
  }

  /** Reports what was not reported yet. Called before the place is left. */
  say(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#unsaid === 0) return;
    this.#saidAt = performance.now();
    const lines = this.#unsaid;
    this.#unsaid = 0;
    this.#log.error(`log lines were dropped ${this.#where}`, { ...this.#fields, lines, total: this.#total });
  }
}
