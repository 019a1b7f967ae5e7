/**
 * Streams live log lines to subscribers. The control thread already has all lines, encoded and filtered as configured.
 *
 * Data that log filters remove does not appear in the stream, and secrets are redacted. If there are no subscribers, the cost is one
 * comparison per batch of lines.
 */
import { token, type Token } from '@sluice/registry';
import { redactedLine } from './redact-line.ts';

/** Maximum number of lines sent per second. Lines beyond this limit are only counted. */
const maxLines = 1000;
/** Maximum length of a log line, in characters. */
const maxLineLength = 8192;

/** Receives the lines of an output without line terminators, and the number of dropped lines. */
export type TailListener = (output: string, lines: readonly string[], dropped: number) => void;

export class LogTail {
  readonly #listeners = new Set<TailListener>();
  readonly #now: () => number;
  #second = 0;
  #sent = 0;

  /** `now` returns the time in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get isWatched(): boolean {
    return this.#listeners.size > 0;
  }

  /** Subscribes to log lines. Returns a function that cancels the subscription. */
  watch(listener: TailListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Sends subscribers the lines written to an output. `text` is only called if there are subscribers. */
  written(output: string, count: number, text: () => string): void {
    const second = Math.floor(this.#now() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#sent = 0;
    }
    const left = maxLines - this.#sent;
    this.#sent += Math.min(count, left);
    const lines = left === 0 ? [] : text().trimEnd().split('\n').slice(0, left);
    const shown = lines.map((line) => redactedLine(line).slice(0, maxLineLength));
    for (const listener of this.#listeners) listener(output, shown, count - shown.length);
  }
}

/** Service token for the log tail: `server.service(logTailToken)`. */
export const logTailToken: Token<LogTail> = token<LogTail>('log-tail');
