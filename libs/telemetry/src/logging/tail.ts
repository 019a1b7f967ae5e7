/**
 * The lines of logs as they are written, for those who watch. The control thread has the lines of all threads in its hands
 * anyway, encoded and filtered as the configuration says: what that takes out of a log is not in here either, and secrets
 * are taken out of what is. Where no one watches it costs a comparison for some hundred lines.
 */
import { token, type Token } from '@sluice/registry';
import { redactedLine } from './redact-line.ts';

/** Lines that are told of in a second; the others are counted. */
const mostLines = 1000;
/** Characters of a line. */
const longestLine = 8192;

/** Is told of the lines of an output, without their ends, and of how many could not be told. */
export type TailListener = (output: string, lines: readonly string[], dropped: number) => void;

/** The tail of all logs. */
export class LogTail {
  readonly #listeners = new Set<TailListener>();
  readonly #now: () => number;
  #second = 0;
  #told = 0;

  /** `now` in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Whether anyone watches. */
  get isWatched(): boolean {
    return this.#listeners.size > 0;
  }

  /** Tells what comes. Gives what ends it. */
  watch(listener: TailListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Whole lines with their ends were written to an output, by its key; `text` makes them where they are wanted. */
  written(output: string, count: number, text: () => string): void {
    const second = Math.floor(this.#now() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#told = 0;
    }
    const left = mostLines - this.#told;
    this.#told += Math.min(count, left);
    const lines = left === 0 ? [] : text().trimEnd().split('\n').slice(0, left);
    const shown = lines.map((line) => redactedLine(line).slice(0, longestLine));
    for (const listener of this.#listeners) listener(output, shown, count - shown.length);
  }
}

/** The tail of the server: `server.service(logTailToken)`. */
export const logTailToken: Token<LogTail> = token<LogTail>('log-tail');
