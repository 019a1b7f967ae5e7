/** Replacement stages for text that arrives in chunks. They also find matches across chunk boundaries. */
import type { SafeRegExp } from '@sluice/base';

/** A single replacement that is applied to a body. Its output does not depend on the chunk boundaries. */
export interface Stage {
  /** Adds the next chunk. Returns the output that is final at this point. */
  push(text: string): string;
  /** Ends the text. If `isEnd` is false, only ends the part that must be sent immediately. Returns the remaining output. */
  release(isEnd: boolean): string;
}

export class StringStage implements Stage {
  readonly #search: string;
  readonly #replacement: string;
  /** Text that is held back, because it is a proper prefix of the search string. */
  #held = '';

  constructor(search: string, replacement: string) {
    this.#search = search;
    this.#replacement = replacement;
  }

  push(piece: string): string {
    const text = this.#held + piece;
    const search = this.#search;
    let result = '';
    let at = 0;
    for (let found; (found = text.indexOf(search, at)) >= 0; at = found + search.length)
      result += text.slice(at, found) + this.#replacement;
    const end = this.#heldFrom(text, at);
    this.#held = text.slice(end);
    return result + text.slice(at, end);
  }

  release(): string {
    const held = this.#held;
    this.#held = '';
    return held;
  }

  /** Returns the start of the longest suffix of `text` that is a prefix of the search string. The suffix starts at or after `at`. */
  #heldFrom(text: string, at: number): number {
    const search = this.#search;
    const first = search.charAt(0);
    let start = Math.max(at, text.length - search.length + 1);
    for (; (start = text.indexOf(first, start)) >= 0; start++) if (search.startsWith(text.slice(start))) return start;
    return text.length;
  }
}

/** Number of characters to search at a time. V8's linear-time regular expression engine supports this length plus the surrounding text. */
const maxPiece = 32 * 1024;

/** Stage that replaces the matches of a regular expression. It may miss matches longer than `maxMatch` characters. */
export class RegExpStage implements Stage {
  readonly #expression: SafeRegExp;
  readonly #replacement: string;
  readonly #maxMatch: number;
  #text = '';
  /** Position up to which text has been replaced. One character before this position is kept for anchors. */
  #from = 0;
  #afterMatch = false;

  constructor(expression: SafeRegExp, replacement: string, maxMatch: number) {
    this.#expression = expression;
    this.#replacement = replacement;
    this.#maxMatch = Math.min(maxMatch, maxPiece);
  }

  push(text: string): string {
    let result = '';
    for (let at = 0; at < text.length; at += maxPiece) {
      this.#text += text.length <= maxPiece ? text : text.slice(at, at + maxPiece);
      const limit = this.#text.length - this.#maxMatch;
      if (limit > this.#from) result += this.#replace(limit);
    }
    return result;
  }

  release(isEnd: boolean): string {
    const { length } = this.#text;
    return this.#replace(isEnd ? length + 1 : length);
  }

  #replace(limit: number): string {
    const range = { from: this.#from, limit, afterMatch: this.#afterMatch };
    const { text, end, afterMatch } = this.#expression.replacePart(this.#text, this.#replacement, range);
    this.#text = this.#text.slice(Math.max(0, end - 1));
    this.#from = Math.min(end, 1);
    this.#afterMatch = afterMatch;
    return text;
  }
}
