/** Replacements in text that arrives in chunks. Finds matches across chunk boundaries. */
import type { SafeRegExp } from '@sluice/base';

/** One replacement applied to a body. The output does not depend on chunk boundaries. */
export interface Stage {
  /** Adds the next chunk and returns the final output so far. */
  push(text: string): string;
  /** Ends the text or, if `isEnd` is false, the part that must be sent now. Returns the rest. */
  release(isEnd: boolean): string;
}

export class StringStage implements Stage {
  readonly #search: string;
  readonly #replacement: string;
  /** Held text: a proper prefix of the search string. */
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

  /** Returns the start of the longest suffix of `text`, starting at or after `at`, that is a prefix of the search string. */
  #heldFrom(text: string, at: number): number {
    const search = this.#search;
    const first = search.charAt(0);
    let start = Math.max(at, text.length - search.length + 1);
    for (; (start = text.indexOf(first, start)) >= 0; start++) if (search.startsWith(text.slice(start))) return start;
    return text.length;
  }
}

/**
 * Number of characters that are searched at a time. V8's linear regular expression engine supports this number plus the
 * text around it.
 */
const maxPiece = 32 * 1024;

/** Replaces the matches of a regular expression. Matches longer than `maxMatch` characters may be missed. */
export class RegExpStage implements Stage {
  readonly #expression: SafeRegExp;
  readonly #replacement: string;
  readonly #maxMatch: number;
  #text = '';
  /** Text before this position is already replaced. One character before it is kept for anchors. */
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
