/** Tokenizer for JSON and JSON5. */
import type { Span } from '../text/span.ts';

export interface Problem extends Span {
  readonly message: string;
}

/** A JSON token. A word is an unquoted token: a number, `true`, or a JSON5 key. */
export interface Scanned extends Span {
  readonly kind: '{' | '}' | '[' | ']' | ':' | ',' | 'string' | 'word' | 'end';
  /** Content of a string, value of a literal word, or text of any other word. */
  readonly value?: string | number | boolean | null;
}

const space = /[\s\uFEFF]*/uy;
const word = /[^\s\uFEFF{}[\],:'"/]+/uy;
const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', '0': '\0' };
const literals: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

export class Scanner {
  readonly problems: Problem[] = [];
  readonly #text: string;
  readonly #strict: boolean;
  #at = 0;

  constructor(text: string, strict: boolean) {
    this.#text = text;
    this.#strict = strict;
  }

  problem(message: string, start: number, end: number): void {
    this.problems.push({ message, start, end });
  }

  /** Reports the use of a JSON5 feature in strict JSON. */
  extension(what: string, start: number, end: number): void {
    if (this.#strict)
      this.problem(`${what} is allowed only in JSON5, not in JSON; rename the file to *.json5`, start, end);
  }

  slice({ start, end }: Span): string {
    return this.#text.slice(start, end);
  }

  /** Returns the next token, skipping whitespace and comments. */
  next(): Scanned {
    this.#skip();
    const start = this.#at;
    const char = this.#text[start];
    switch (char) {
      case undefined:
        return { kind: 'end', start, end: start };
      case '{':
      case '}':
      case '[':
      case ']':
      case ':':
      case ',':
        this.#at++;
        return { kind: char, start, end: this.#at };
      case '"':
      case "'":
        return this.#string(char);
      default:
        return this.#word();
    }
  }

  #skip(): void {
    for (;;) {
      space.lastIndex = this.#at;
      space.test(this.#text);
      this.#at = space.lastIndex;
      const start = this.#at;
      if (this.#text.startsWith('//', start)) {
        const end = this.#text.indexOf('\n', start);
        this.#at = end < 0 ? this.#text.length : end;
      } else if (this.#text.startsWith('/*', start)) {
        const end = this.#text.indexOf('*/', start + 2);
        if (end < 0) this.problem("unterminated comment: '*/' is missing", start, start + 2);
        this.#at = end < 0 ? this.#text.length : end + 2;
      } else return;
      this.extension('a comment', start, this.#at);
    }
  }

  /** Reads a string. An unterminated string ends at the end of its line, so that the rest can be parsed. */
  #string(quote: string): Scanned {
    const text = this.#text;
    const start = this.#at;
    let value = '';
    let at = start + 1;
    for (let piece = at; ;) {
      const char = text[at];
      if (char === undefined || char === '\n') {
        this.problem('unterminated string: closing quote is missing', start, at);
        return this.#stringTo(start, at, value + text.slice(piece, at));
      }
      if (char === quote) {
        if (quote === "'") this.extension('a single-quoted string', start, at + 1);
        return this.#stringTo(start, at + 1, value + text.slice(piece, at));
      }
      if (char === '\\') {
        value += text.slice(piece, at);
        const { text: meant, length } = escapeAt(text, at);
        value += meant;
        at += length;
        piece = at;
      } else at++;
    }
  }

  #stringTo(start: number, end: number, value: string): Scanned {
    this.#at = end;
    return { kind: 'string', value, start, end };
  }

  #word(): Scanned {
    const start = this.#at;
    word.lastIndex = start;
    const found = word.test(this.#text);
    this.#at = found ? word.lastIndex : start + 1;
    const text = this.#text.slice(start, this.#at);
    const literal = literals.get(text);
    const value = literal === undefined ? (numberOf(text, this.#strict) ?? text) : literal;
    return { kind: 'word', value, start, end: this.#at };
  }
}

/** Decodes an escape sequence. An unknown escape sequence stands for the letter itself, and an escaped line break is removed. */
function escapeAt(text: string, at: number): { text: string; length: number } {
  const char = text[at + 1] ?? '';
  const hex = /^(?:u([\dA-Fa-f]{4})|x([\dA-Fa-f]{2}))/.exec(text.slice(at + 1, at + 6));
  if (hex !== null)
    return { text: String.fromCharCode(Number.parseInt(hex[1] ?? hex[2] ?? '', 16)), length: hex[0].length + 1 };
  if (char === '\r' && text[at + 2] === '\n') return { text: '', length: 3 };
  if (char === '\n' || char === '') return { text: '', length: 1 + char.length };
  return { text: escapes[char] ?? char, length: 2 };
}

function numberOf(text: string, strict: boolean): number | null {
  const number = strict
    ? /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
    : /^[+-]?(?:0[xX][\dA-Fa-f]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)$/;
  if (!number.test(text)) return null;
  return /^-0[xX]/.test(text) ? -Number(text.slice(1)) : Number(text.replace(/^\+/, ''));
}
