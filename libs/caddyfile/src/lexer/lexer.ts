/** Splits Caddyfile source into tokens: words, quoted strings, and heredocs. Omits comments. */
import { CaddyfileError } from '../errors.ts';
import { markerOf, unindent } from './heredoc.ts';
import { CaddyfileToken } from '../token.ts';

const newline = 10;
const carriageReturn = 13;
const space = 32;
const doubleQuote = 34;
const hash = 35;
const lessThan = 60;
const backslash = 92;
const backtick = 96;
const byteOrderMark = 0xfeff;

/** Reports whether a character is whitespace between words. Checks ASCII characters first, because other whitespace is rare. */
function isSpace(code: number): boolean {
  if (code < 128) return code === space || (code >= 9 && code <= 13);
  return code === 0x85 || (code !== byteOrderMark && /\s/u.test(String.fromCharCode(code)));
}

/** A token with its position in the text, in UTF-16 code units. */
export interface LocatedToken {
  readonly token: CaddyfileToken;
  readonly start: number;
  readonly end: number;
}

type Emit = (token: CaddyfileToken, start: number, end: number) => void;

/** Splits the text of a file into tokens. Errors contain the line number. */
export function tokenize(text: string, file: string): CaddyfileToken[] {
  const tokens: CaddyfileToken[] = [];
  new Lexer(text, file, (token) => void tokens.push(token)).run();
  return tokens;
}

/**
 * Splits text into tokens in an editor, while the text may be incomplete. Accepts any text. For example, an unclosed heredoc counts as a
 * word.
 */
export function locateTokens(text: string, file: string): LocatedToken[] {
  const tokens: LocatedToken[] = [];
  new Lexer(text, file, (token, start, end) => void tokens.push({ token, start, end }), false).run();
  return tokens;
}

/** Caddyfile lexer that scans the source text once. */
class Lexer {
  readonly #text: string;
  readonly #file: string;
  readonly #emit: Emit;
  /** True to throw an error for an invalid heredoc. */
  readonly #strict: boolean;
  #at: number;
  #line = 1;
  /** Number of lines that backslashes have joined to the current line. Added to the line number at the end of the line. */
  #joined = 0;
  #lineStart = 0;
  /** True after a backslash that may escape the next character. */
  #escaped = false;

  constructor(text: string, file: string, emit: Emit, strict = true) {
    this.#text = text;
    this.#file = file;
    this.#emit = emit;
    this.#strict = strict;
    this.#at = text.charCodeAt(0) === byteOrderMark ? 1 : 0;
  }

  run(): void {
    const text = this.#text;
    while (this.#at < text.length) {
      const code = text.charCodeAt(this.#at);
      if (code === newline) this.#endLine();
      else if (isSpace(code)) this.#at++;
      else if (code === hash) this.#skipComment();
      else if (code === backslash && !this.#escaped) this.#escape();
      else if (code === doubleQuote || code === backtick) this.#quoted(code);
      else this.#word(this.#at);
    }
  }

  #escape(): void {
    this.#escaped = true;
    this.#at++;
  }

  /** Handles the end of a line. A backslash at the end of a line joins the next line. */
  #endLine(): void {
    this.#at++;
    if (this.#escaped) this.#joined++;
    else this.#countLine();
    this.#escaped = false;
    this.#lineStart = this.#at;
  }

  #countLine(): void {
    this.#line += 1 + this.#joined;
    this.#joined = 0;
  }

  #skipComment(): void {
    const end = this.#text.indexOf('\n', this.#at);
    this.#at = end < 0 ? this.#text.length : end;
  }

  /** Reads a quoted string. In double quotes, `\"` is a quote, and any other backslash is literal. Backticks have no escapes. */
  #quoted(mark: number): void {
    const text = this.#text;
    const line = this.#line;
    const begin = this.#at;
    const column = begin - this.#lineStart + 1;
    let piece = begin + 1;
    let at = piece;
    let value = '';
    let escaped = this.#escaped && mark === doubleQuote;
    if (escaped && text.charCodeAt(at) !== doubleQuote) value = '\\';
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === mark && !escaped) break;
      if (code === newline) {
        this.#countLine();
        this.#lineStart = at + 1;
      }
      if (code === backslash && mark === doubleQuote && !escaped) {
        escaped = true;
        if (text.charCodeAt(at + 1) !== doubleQuote) continue;
        value += text.slice(piece, at);
        piece = at + 1;
      } else {
        escaped = false;
      }
    }
    value += text.slice(piece, Math.min(at, text.length));
    this.#at = at + 1;
    this.#escaped = false;
    const token = new CaddyfileToken(value, { file: this.#file, line, column }, mark === doubleQuote ? '"' : '`');
    this.#emit(token, begin, Math.min(this.#at, text.length));
  }

  /** Reads an unquoted word up to the next whitespace. A backslash is literal, except before `<`, where it prevents a heredoc. */
  #word(begin: number): void {
    const text = this.#text;
    const line = this.#line;
    const column = begin - this.#lineStart + 1;
    if (!this.#escaped && text.charCodeAt(begin) === lessThan && text.charCodeAt(begin + 1) === lessThan) {
      if (this.#tryHeredoc(begin)) return;
    }
    let value = this.#escaped && text.charCodeAt(begin) !== lessThan ? '\\' : '';
    let piece = begin;
    let at = begin;
    let escaped = false;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === carriageReturn) {
        value += text.slice(piece, at);
        piece = at + 1;
      } else if (isSpace(code)) {
        break;
      } else if (code === backslash && !escaped && !(at === begin && this.#escaped)) {
        escaped = true;
        value += text.slice(piece, at);
        piece = at + 1;
      } else if (escaped) {
        if (code !== lessThan) value += '\\';
        escaped = false;
      }
    }
    value += text.slice(piece, at);
    this.#at = at;
    this.#escaped = escaped && text.charCodeAt(at) === newline;
    this.#emit(new CaddyfileToken(value, { file: this.#file, line, column }), begin, at);
  }

  #tryHeredoc(begin: number): boolean {
    try {
      return this.#heredoc(begin);
    } catch (error) {
      if (this.#strict) throw error;
      return false;
    }
  }

  /** Reads a heredoc if one begins at the cursor. The heredoc ends at the repeated marker. */
  #heredoc(begin: number): boolean {
    const place = { file: this.#file, line: this.#line + this.#joined };
    const marker = markerOf(this.#text, begin + 2, place);
    if (marker === null) return false;
    const { name, bodyAt } = marker;
    const end = this.#text.indexOf(name, bodyAt);
    if (end < 0) {
      const last = place.line + this.#text.slice(bodyAt).split('\n').length;
      throw new CaddyfileError(`incomplete heredoc <<${name} on line #${last}, expected ending marker ${name}`, {
        ...place,
        column: begin - this.#lineStart + 1,
      });
    }
    const body = this.#text.slice(bodyAt, end);
    const value = unindent(body, name, place);
    const token = new CaddyfileToken(
      value,
      { file: this.#file, line: this.#line, column: begin - this.#lineStart + 1 },
      '<',
    );
    this.#emit(token, begin, end + name.length);
    this.#at = end + name.length;
    this.#line += 1 + this.#joined + (body.split('\n').length - 1);
    this.#joined = 0;
    this.#lineStart = bodyAt + body.lastIndexOf('\n') + 1;
    return true;
  }
}
