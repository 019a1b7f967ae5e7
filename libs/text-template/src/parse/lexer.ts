/**
 * Splits a template into tokens on demand. Because tokens are read lazily, the first error in the text is the one reported.
 *
 * The messages of error tokens are identical to Go's, because users search for them.
 */
import { quote } from '../fmt/quote.ts';
import { wordType, type Token, type TokenType } from './tokens.ts';

/** Delimiters of template actions, `{{` and `}}` by default. */
export interface Delimiters {
  /** Default: `{{`. */
  readonly left: string;
  /** Default: `}}`. */
  readonly right: string;
}

const space = /[ \t\r\n]+/y;
const word = /[\p{L}\p{Nd}_]+/uy;
const wordCharacter = /[\p{L}\p{Nd}_]/u;
const quoted = /"(?:[^"\\\n]|\\[^\n])*"/y;
const raw = /`[^`]*`/y;
const character = /'(?:[^'\\\n]|\\[^\n])*'/y;
const number =
  /[+-]?(?:0[xX][0-9a-fA-F_]*(?:\.[0-9a-fA-F_]*)?(?:[pP][+-]?[0-9_]*)?|0[oO][0-7_]*(?:\.[0-7_]*)?|0[bB][01_]*(?:\.[01_]*)?|[0-9_]*(?:\.[0-9_]*)?(?:[eE][+-]?[0-9_]*)?)i?/y;
const trimSpace = ' \t\r\n';

export class Lexer {
  readonly text: string;
  readonly #left: string;
  readonly #right: string;
  #at = 0;
  #inAction = false;
  #trimNext = false;
  #parens = 0;
  #failed = false;
  /** Index of the current action's start, for errors about unclosed actions. */
  actionStart = 0;

  constructor(text: string, delimiters: Delimiters) {
    this.text = text;
    this.#left = delimiters.left === '' ? '{{' : delimiters.left;
    this.#right = delimiters.right === '' ? '}}' : delimiters.right;
  }

  /** Returns the next token. After an error or at the end of the input, always returns the end token. */
  next(): Token {
    if (this.#failed) return this.#token('end', '', this.text.length);
    if (this.#inAction) return this.#nextInAction();
    return this.#nextInText() ?? this.#openAction();
  }

  #token(type: TokenType, text: string, position: number): Token {
    return { type, text, position };
  }

  #error(message: string, position = this.#at): Token {
    this.#failed = true;
    return this.#token('error', message, position);
  }

  /** Consumes `length` characters and returns them as a token. */
  #take(type: TokenType, length: number): Token {
    const position = this.#at;
    this.#at += length;
    return this.#token(type, this.text.slice(position, this.#at), position);
  }

  #match(pattern: RegExp): number {
    pattern.lastIndex = this.#at;
    return pattern.test(this.text) ? pattern.lastIndex - this.#at : 0;
  }

  /** Returns the text up to the next action or the end of the input. Returns null if an action starts at the cursor. */
  #nextInText(): Token | null {
    if (this.#trimNext) this.#at += this.#match(space);
    this.#trimNext = false;
    const found = this.text.indexOf(this.#left, this.#at);
    const end = found === -1 ? this.text.length : found;
    const start = this.#at;
    if (start === this.text.length) return this.#token('end', '', start);
    this.#at = end;
    let trimmed = end;
    if (found !== -1 && this.#hasLeftTrim(found + this.#left.length)) {
      while (trimmed > start && trimSpace.includes(this.text.charAt(trimmed - 1))) trimmed--;
    }
    return trimmed > start ? this.#token('text', this.text.slice(start, trimmed), start) : this.#afterText();
  }

  #afterText(): Token | null {
    return this.#at === this.text.length ? this.#token('end', '', this.#at) : null;
  }

  #hasLeftTrim(at: number): boolean {
    return this.text[at] === '-' && isSpace(this.text[at + 1]);
  }

  #openAction(): Token {
    const start = this.#at;
    this.actionStart = start;
    this.#at += this.#left.length;
    const afterTrim = this.#at + (this.#hasLeftTrim(this.#at) ? 2 : 0);
    if (this.text.startsWith('/*', afterTrim)) return this.#comment(afterTrim) ?? this.next();
    this.#at = afterTrim;
    this.#inAction = true;
    this.#parens = 0;
    return this.#token('open', this.#left, start);
  }

  /** Skips a comment. Returns an error token if the comment is invalid, otherwise null. */
  #comment(start: number): Token | null {
    const end = this.text.indexOf('*/', start + 2);
    if (end === -1) return this.#error('unclosed comment', start);
    this.#at = end + 2;
    const close = this.#closeLength();
    if (close === 0) return this.#error('comment ends before closing delimiter', start);
    this.#at += close;
    return null;
  }

  /** Returns the length of the closing delimiter at the cursor, including a trim marker. Returns 0 if there is no delimiter. */
  #closeLength(): number {
    if (this.text.startsWith(this.#right, this.#at)) {
      this.#trimNext = false;
      return this.#right.length;
    }
    if (isSpace(this.text[this.#at]) && this.text.startsWith(`-${this.#right}`, this.#at + 1)) {
      this.#trimNext = true;
      return this.#right.length + 2;
    }
    return 0;
  }

  #nextInAction(): Token {
    const close = this.#closeLength();
    if (close > 0) {
      if (this.#parens > 0) return this.#error('unclosed left paren');
      this.#inAction = false;
      const position = this.#at;
      this.#at += close;
      return this.#token('close', this.#right, position);
    }
    if (this.#at >= this.text.length) return this.#error('unclosed action');
    const first = this.text.charAt(this.#at);
    if (isSpace(first)) return this.#takeSpace();
    switch (first) {
      case '"':
        return this.#delimited(quoted, 'string', 'unterminated quoted string');
      case '`':
        return this.#delimited(raw, 'string', 'unterminated raw quoted string');
      case "'":
        return this.#delimited(character, 'character', 'unterminated character constant');
      case ':':
        return this.text[this.#at + 1] === '=' ? this.#take('declare', 2) : this.#error('expected :=');
      case '=':
        return this.#take('assign', 1);
      case '|':
        return this.#take('pipe', 1);
      case '(':
        this.#parens++;
        return this.#take('leftParen', 1);
      case ')':
        if (--this.#parens < 0) return this.#error('unexpected right paren');
        return this.#take('rightParen', 1);
      case '$':
        return this.#name('variable', 1);
      case '.':
        return this.#beginsNumber() ? this.#number() : this.#fieldOrDot();
      default:
        return this.#other(first);
    }
  }

  /** Consumes whitespace. If a trim marker follows, leaves the last whitespace character. */
  #takeSpace(): Token {
    const length = this.#match(space);
    const trims = this.text.startsWith(`-${this.#right}`, this.#at + length);
    return this.#take('space', trims ? length - 1 : length);
  }

  #delimited(pattern: RegExp, type: TokenType, unterminated: string): Token {
    const length = this.#match(pattern);
    return length === 0 ? this.#error(unterminated) : this.#take(type, length);
  }

  /** Reports whether a number starts at the cursor. `.5` is a number, and so is a dot at the end of the text, which is an error. */
  #beginsNumber(): boolean {
    const next = this.text[this.#at + 1];
    return next === undefined || isDigit(next);
  }

  #fieldOrDot(): Token {
    const next = this.#characterAt(this.#at + 1);
    return wordCharacter.test(next) ? this.#name('field', 1) : this.#terminated(this.#take('dot', 1));
  }

  /** Consumes `prefix` characters and the word that follows. */
  #name(type: TokenType, prefix: number): Token {
    word.lastIndex = this.#at + prefix;
    const length = word.test(this.text) ? word.lastIndex - this.#at : prefix;
    return this.#terminated(this.#take(type, length));
  }

  /** Checks the character that follows a name or dot. For example, `.x+1` is an error. */
  #terminated(token: Token): Token {
    const next = this.#characterAt(this.#at);
    if (next === '' || isSpace(next) || '.,|:()'.includes(next)) return token;
    if (this.text.startsWith(this.#right, this.#at)) return token;
    return this.#error(`bad character ${describeCharacter(next)}`);
  }

  #number(): Token {
    const length = this.#match(number);
    const next = this.#characterAt(this.#at + length);
    const text = this.text.slice(this.#at, this.#at + length);
    if (wordCharacter.test(next)) return this.#error(`bad number syntax: ${quote(text + next)}`);
    if (next === '+' || next === '-') return this.#complex(length);
    return this.#take('number', length);
  }

  /** Reads a complex number such as `1+2i`. Returns an error token for anything else, such as `1+2`. */
  #complex(length: number): Token {
    number.lastIndex = this.#at + length;
    const end = number.test(this.text) ? number.lastIndex : this.#at + length;
    const after = this.#characterAt(end);
    const text = this.text.slice(this.#at, end) + (wordCharacter.test(after) ? after : '');
    if (!text.endsWith('i')) return this.#error(`bad number syntax: ${quote(text)}`);
    return this.#take('number', end - this.#at);
  }

  #other(first: string): Token {
    if (first === '+' || first === '-' || isDigit(first)) return this.#number();
    const whole = this.#characterAt(this.#at);
    if (wordCharacter.test(whole)) {
      const token = this.#name('identifier', 0);
      return token.type === 'error' ? token : { ...token, type: wordType(token.text) };
    }
    if (first > ' ' && first <= '~') return this.#take('mark', 1);
    return this.#error(`unrecognized character in action: ${describeCharacter(whole)}`);
  }

  #characterAt(index: number): string {
    const code = this.text.codePointAt(index);
    return code === undefined ? '' : String.fromCodePoint(code);
  }
}

function isSpace(text: string | undefined): boolean {
  return text === ' ' || text === '\t' || text === '\n' || text === '\r';
}

function isDigit(text: string | undefined): boolean {
  return text !== undefined && text >= '0' && text <= '9';
}

/** Formats a character like `%#U`: `U+0023 '#'`. */
function describeCharacter(text: string): string {
  const code = text.codePointAt(0) ?? 0;
  const hex = code.toString(16).toUpperCase().padStart(4, '0');
  return /\p{C}/u.test(text) ? `U+${hex}` : `U+${hex} '${text}'`;
}
