/** Tokenizer for nginx's syntax. For example, `listen 80;` is two words and a punctuation mark. */
import { problemAt, type Place } from '../problem.ts';

/** A token: a word, `;`, `{` or `}`. */
export interface Token extends Place {
  readonly kind: 'word' | ';' | '{' | '}';
  readonly text: string;
}

/** Escape sequences in words. Before any other character, a backslash is literal. */
const escapes: Readonly<Record<string, string>> = { '"': '"', "'": "'", '\\': '\\', t: '\t', r: '\r', n: '\n' };

/** Reports whether a character separates words. As in nginx, other whitespace characters, such as U+00A0, are part of words. */
function isBlank(unit: string): boolean {
  return unit === ' ' || unit === '\t' || unit === '\r' || unit === '\n';
}

export function tokenize(text: string, file: string): Token[] {
  return new Lexer(text, file).read();
}

class Lexer {
  readonly #text: string;
  readonly #file: string;
  readonly #tokens: Token[] = [];
  #at = 0;
  #line = 1;

  constructor(text: string, file: string) {
    this.#text = text.startsWith('\uFEFF') ? text.slice(1) : text;
    this.#file = file;
  }

  read(): Token[] {
    for (;;) {
      this.#skipBlank();
      const unit = this.#text[this.#at];
      if (unit === undefined) return this.#tokens;
      if (unit === ';' || unit === '{' || unit === '}') {
        this.#push(unit, unit, this.#line);
        this.#at++;
      } else if (unit === '"' || unit === "'") this.#quoted(unit);
      else this.#bare();
    }
  }

  /** Skips whitespace and comments. A `#` within a word does not start a comment. */
  #skipBlank(): void {
    for (;;) {
      const unit = this.#text[this.#at];
      if (unit === '#') while (this.#at < this.#text.length && this.#text[this.#at] !== '\n') this.#at++;
      else if (unit !== undefined && isBlank(unit)) this.#advance();
      else return;
    }
  }

  #advance(): string {
    const unit = this.#text.charAt(this.#at++);
    if (unit === '\n') this.#line++;
    return unit;
  }

  #quoted(quote: string): void {
    const line = this.#line;
    this.#at++;
    let text = '';
    while (this.#at < this.#text.length && this.#text[this.#at] !== quote) text += this.#unit();
    if (this.#at >= this.#text.length) throw problemAt({ file: this.#file, line }, `string has no closing ${quote}`);
    this.#at++;
    this.#push('word', text, line);
    const next = this.#text[this.#at];
    if (next !== undefined && !isBlank(next) && !/[;{)]/.test(next))
      throw problemAt(
        this.#place,
        `expected a space, ";" or "{" after the closing ${quote}, not ${JSON.stringify(next)}`,
      );
  }

  /** Reads an unquoted word. Whitespace, `;` or `{` ends the word, except for the brace in `${name}`. */
  #bare(): void {
    const line = this.#line;
    let text = '';
    for (;;) {
      const unit = this.#text[this.#at];
      if (unit === undefined || unit === ';' || isBlank(unit) || (unit === '{' && !text.endsWith('$'))) break;
      text += this.#unit();
    }
    this.#push('word', text, line);
  }

  /** Returns the next character. Decodes an escape sequence. */
  #unit(): string {
    const unit = this.#advance();
    if (unit !== '\\' || this.#at >= this.#text.length) return unit;
    const next = this.#advance();
    return escapes[next] ?? unit + next;
  }

  #push(kind: Token['kind'], text: string, line: number): void {
    this.#tokens.push({ kind, text, file: this.#file, line });
  }

  get #place(): Place {
    return { file: this.#file, line: this.#line };
  }
}
