/**
 * Patterns as in Go's `path.Match`. `*` matches any text that contains no slash. `?` matches any character except a slash. `[a-z]` and
 * `[^a-z]` match one character of a class, which can be a slash. `\` escapes the next character.
 *
 * The pattern must match the entire text. Braces and `**` are not supported, and dots are not special.
 *
 * As in Go, each piece between stars matches at the leftmost position, without backtracking. Matching takes time proportional to the
 * product of the text length and the length of the longest piece.
 */
import { numberAt } from '../collections/bounded.ts';
import { lowerCase } from '../text/lower-case.ts';
import { quoted, valueError } from '../values/value-error.ts';

/** Reports whether a string matches a compiled glob pattern. */
export type GlobMatcher = (text: string) => boolean;

export interface GlobOptions {
  /** Default: false. */
  readonly ignoreCase?: boolean;
}

/** Matcher for one character: a code point or a predicate. */
type Unit = number | ((code: number) => boolean);

/** A part of a glob pattern: an optional star, followed by units that each match one character. */
interface Piece {
  readonly star: boolean;
  readonly units: readonly Unit[];
  /** The units as a string if all units are code points. Otherwise `null`. */
  readonly literal: string | null;
}

/**
 * Compiles a glob pattern. Throws `ERR_VALUE` for a trailing `\` or an invalid character class. A class is invalid if it is unterminated or
 * empty, or if it contains an incomplete range.
 */
export function compileGlob(pattern: string, options: GlobOptions = {}): GlobMatcher {
  if (options.ignoreCase === true) {
    const match = compileGlob(lowerCase(pattern));
    return (text) => match(lowerCase(text));
  }
  const pieces = new GlobParser(pattern).parse();
  const [first] = pieces;
  if (first === undefined) return (text) => text === '';
  const { literal } = first;
  if (pieces.length === 1 && !first.star && literal !== null) return (text) => text === literal;
  return (text) => matchPieces(pieces, text);
}

function matchPieces(pieces: readonly Piece[], text: string): boolean {
  let at = 0;
  for (const [i, piece] of pieces.entries()) {
    at = endOfPiece(piece, text, at, i === pieces.length - 1);
    if (at < 0) return false;
  }
  return at === text.length;
}

/**
 * Returns the end of the leftmost match of a piece at or after `start`. Returns -1 if there is no match. The last piece must match at the
 * end of the text.
 */
function endOfPiece(piece: Piece, text: string, start: number, last: boolean): number {
  if (!piece.star) return endOfUnits(piece, text, start);
  const slash = text.indexOf('/', start);
  const limit = slash < 0 ? text.length : slash;
  if (piece.units.length === 0) return limit === text.length ? limit : -1;
  const { literal } = piece;
  if (literal !== null) {
    const found = last ? text.length - literal.length : text.indexOf(literal, start);
    if (found < start || found > limit) return -1;
    return !last || text.endsWith(literal) ? found + literal.length : -1;
  }
  for (let from = start; from <= limit; from += widthAt(text, from)) {
    const end = endOfUnits(piece, text, from);
    if (end >= 0 && (!last || end === text.length)) return end;
  }
  return -1;
}

function endOfUnits({ literal, units }: Piece, text: string, start: number): number {
  if (literal !== null) return text.startsWith(literal, start) ? start + literal.length : -1;
  let at = start;
  for (const unit of units) {
    const code = text.codePointAt(at);
    if (code === undefined || (typeof unit === 'number' ? code !== unit : !unit(code))) return -1;
    at += code > 0xffff ? 2 : 1;
  }
  return at;
}

function widthAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

const slashCode = 0x2f;

function isNoSlash(code: number): boolean {
  return code !== slashCode;
}

class GlobParser {
  readonly #characters: readonly string[];
  readonly #pattern: string;
  #at = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
    this.#characters = [...pattern];
  }

  parse(): Piece[] {
    const pieces: Piece[] = [];
    while (this.#at < this.#characters.length) pieces.push(this.#piece());
    return pieces;
  }

  #piece(): Piece {
    let star = false;
    for (; this.#peek() === '*'; this.#at++) star = true;
    const units: Unit[] = [];
    while (this.#at < this.#characters.length && this.#peek() !== '*') units.push(this.#unit());
    const codes = units.filter((unit) => typeof unit === 'number');
    return { star, units, literal: codes.length === units.length ? String.fromCodePoint(...codes) : null };
  }

  #unit(): Unit {
    if (this.#peek() === '[') return this.#class();
    if (this.#peek() !== '?') return this.#character();
    this.#at++;
    return isNoSlash;
  }

  #class(): Unit {
    this.#at++;
    const negated = this.#peek() === '^';
    if (negated) this.#at++;
    const bounds: number[] = [];
    while (this.#peek() !== ']' || bounds.length === 0) {
      const low = this.#bound();
      const range = this.#peek() === '-';
      if (range) this.#at++;
      bounds.push(low, range ? this.#bound() : low);
    }
    this.#at++;
    return (code) => inBounds(bounds, code) !== negated;
  }

  /** Parses a character in a character class. `-` and `]` must be escaped. */
  #bound(): number {
    const next = this.#peek();
    if (next === '-' || next === ']')
      this.#fail(`${quoted(next)} in a character class must be escaped with a backslash`);
    return this.#character();
  }

  #character(): number {
    if (this.#peek() === '\\') this.#at++;
    const character = this.#characters[this.#at++];
    return character?.codePointAt(0) ?? this.#fail('unexpected end of pattern');
  }

  #peek(): string | undefined {
    return this.#characters[this.#at];
  }

  #fail(problem: string): never {
    throw valueError(`pattern ${quoted(this.#pattern)}: ${problem}`);
  }
}

function inBounds(bounds: readonly number[], code: number): boolean {
  for (let i = 0; i < bounds.length; i += 2) {
    if (code >= numberAt(bounds, i) && code <= numberAt(bounds, i + 1)) return true;
  }
  return false;
}
