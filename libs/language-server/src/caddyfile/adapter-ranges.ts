/** Maps the positions of adapter errors and warnings to text ranges. */
import type { Environment } from '@sluice/base';
import { locateTokens } from '@sluice/caddyfile';
import type { Span } from '../text/span.ts';
import { ReplacedText } from './replaced-text.ts';

/** A position that the adapter reports. Line and column numbers start at 1. Column 0 stands for the first word of the line. */
export interface AdapterPlace {
  readonly line: number;
  readonly column: number;
}

/** Maps adapter positions to ranges in the source text. The text is parsed once. */
export class AdapterRanges {
  readonly #written: string;
  readonly #replaced: ReplacedText;
  readonly #byPlace = new Map<string, Span>();
  readonly #byLine = new Map<number, Span>();

  constructor(written: string, file: string, environment: Environment) {
    this.#written = written;
    this.#replaced = new ReplacedText(written, environment);
    for (const { token, start, end } of locateTokens(this.#replaced.text, file)) {
      const span = { start: this.#replaced.startOf(start), end: this.#replaced.endOf(end) };
      this.#byPlace.set(`${token.line}:${token.column}`, span);
      if (!this.#byLine.has(token.line)) this.#byLine.set(token.line, span);
    }
  }

  /** Returns the range of the token at a position. If there is no token, returns the range of the line's first token, or of the line itself. */
  spanOf({ line, column }: AdapterPlace): Span {
    return this.#byPlace.get(`${line}:${column}`) ?? this.#byLine.get(line) ?? this.#lineSpan(line);
  }

  #lineSpan(line: number): Span {
    const text = this.#written;
    let start = 0;
    for (let count = 1; count < line; count++) {
      const next = text.indexOf('\n', start);
      if (next < 0) break;
      start = next + 1;
    }
    const end = text.indexOf('\n', start);
    return { start, end: end < 0 ? text.length : end };
  }
}
