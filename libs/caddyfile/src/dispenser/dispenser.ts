/**
 * Reads the tokens of a directive with a cursor that distinguishes lines and blocks. For example, `directive.next()` moves to the name, and
 * `directive.remaining()` returns the remaining words of the line. `for (const option of directive.block())` yields the first word of each
 * line in the block. `directive.argument()` reads the next word, and `throw directive.error('…')` reports an error at the cursor.
 */
import type { Json } from '@sluice/base';
import { errorAt, unexpectedToken, type CaddyfileError } from '../errors.ts';
import { startsLine, CaddyfileToken } from '../token.ts';

const nothing = new CaddyfileToken('', { file: '', line: 0, column: 0 });

/** Provides the Caddyfile syntaxes of modules. */
export interface ModuleReader {
  /** Parses a module. The cursor must be on the module name. */
  read(id: string, reader: Dispenser): Json;
  has(id: string): boolean;
  /** Returns a suffix for the error message about an unknown module ID: ` - did you mean 'x'?`, or an empty string. */
  suggest(id: string): string;
  /** Reports a warning about suspicious input that is not an error. */
  warn(token: CaddyfileToken, message: string): void;
}

export class Dispenser {
  readonly modules: ModuleReader;
  /** Name of the matcher being defined, without `@`. Regular expressions in the definition receive this name. */
  readonly matcherName: string;
  #tokens: readonly CaddyfileToken[];
  #at = -1;
  #nesting = 0;

  constructor(tokens: readonly CaddyfileToken[], modules: ModuleReader, matcherName = '') {
    this.#tokens = tokens;
    this.modules = modules;
    this.matcherName = matcherName;
  }

  get tokens(): readonly CaddyfileToken[] {
    return this.#tokens;
  }

  get token(): CaddyfileToken {
    return this.#tokens[this.#at] ?? nothing;
  }

  get value(): string {
    return this.token.text;
  }

  /** True if the cursor is on the last token. */
  get ended(): boolean {
    return this.#at >= this.#tokens.length - 1;
  }

  /** Number of blocks that enclose the cursor. */
  get nesting(): number {
    return this.#nesting;
  }

  next(): boolean {
    if (this.#at >= this.#tokens.length - 1) return false;
    this.#at++;
    return true;
  }

  back(): void {
    if (this.#at >= 0) this.#at--;
  }

  /** Moves to the next word on the line. Returns false at the end of the line, or before a `{` that opens a block. */
  nextArgument(): boolean {
    if (this.#at < 0) return this.next();
    const next = this.#tokens[this.#at + 1];
    if (next === undefined || startsLine(this.token, next) || (next.text === '{' && next.quote === '')) return false;
    this.#at++;
    return true;
  }

  nextLine(): boolean {
    const next = this.#tokens[this.#at + 1];
    if (next === undefined || (this.#at >= 0 && !startsLine(this.token, next))) return false;
    this.#at++;
    return true;
  }

  /** Moves to the next line in the block that begins at the cursor. Returns false at the end of the block. Prefer {@link block}. */
  nextInBlock(outer: number): boolean {
    if (this.#nesting > outer) {
      if (!this.next()) return false;
      if (this.#isBare('}')) this.#nesting--;
      else if (this.#opensBlock()) this.#nesting++;
      return this.#nesting > outer;
    }
    if (!this.#startsBlock()) return false;
    this.next();
    if (!this.next()) return false;
    if (this.#isBare('}')) return false;
    this.#nesting++;
    return true;
  }

  /**
   * Yields the first word of each line in the block that follows the cursor, if there is one. The caller reads the other words of each
   * line.
   */
  *block(): Generator<string, void, void> {
    const outer = this.#nesting;
    while (this.nextInBlock(outer)) yield this.value;
  }

  /** True if the next token on the line opens a block. */
  get opensBlock(): boolean {
    return this.#startsBlock();
  }

  #startsBlock(): boolean {
    const next = this.#tokens[this.#at + 1];
    if (next === undefined || next.text !== '{' || next.quote !== '') return false;
    return this.#at < 0 || !startsLine(this.token, next);
  }

  #isBare(text: string): boolean {
    return this.value === text && this.token.quote === '';
  }

  #opensBlock(): boolean {
    const next = this.#tokens[this.#at - 1];
    return this.#isBare('{') && next !== undefined && !startsLine(next, this.token);
  }

  remaining(): string[] {
    const words: string[] = [];
    while (this.nextArgument()) words.push(this.value);
    return words;
  }

  remainingTokens(): CaddyfileToken[] {
    const tokens: CaddyfileToken[] = [];
    while (this.nextArgument()) tokens.push(this.token);
    return tokens;
  }

  /** Returns the next word on the line. Throws if there is none. */
  argument(): string {
    if (!this.nextArgument()) throw this.argumentError();
    return this.value;
  }

  /** Returns the next word on the line. Throws unless the line has exactly one more word. */
  onlyArgument(): string {
    const value = this.argument();
    this.noArguments();
    return value;
  }

  /** Returns the next word on the line. Throws if the word is missing, or if another word or a block follows. */
  lastArgument(): string {
    const value = this.argument();
    this.nothingMore();
    return value;
  }

  /** Returns the next word on the line, or `null` if there is none. Throws if a second word follows. */
  optionalArgument(): string | null {
    if (!this.nextArgument()) return null;
    const { value } = this;
    this.noArguments();
    return value;
  }

  /** Throws if the line has more words. */
  noArguments(): void {
    if (this.nextArgument()) throw this.argumentError();
  }

  /** Throws if more words, lines, or blocks follow. */
  nothingMore(): void {
    if (this.next()) throw this.argumentError();
  }

  /** Returns the remaining words on the line. Throws if there are fewer than `least` words. */
  arguments(least = 1): string[] {
    const words = this.remaining();
    if (words.length < least) throw this.argumentError();
    return words;
  }

  /** Returns a reader for the tokens from the cursor to the end of the line. Includes blocks that begin on this line. */
  segment(): Dispenser {
    return new Dispenser(this.segmentTokens(), this.modules, this.matcherName);
  }

  /** Parses the module `id`, from its name at the cursor to the end of the line or block. */
  module(id: string): Json {
    const reader = this.segment();
    reader.next();
    return this.modules.read(id, reader);
  }

  /** Returns the default options of a module that is specified by name only. */
  bareModule(id: string): Json {
    if (!this.modules.has(id)) {
      const hint = this.modules.suggest(id);
      throw this.error(`getting module named '${id}': module not registered: ${id}${hint}`);
    }
    return {};
  }

  /** Removes the token at the cursor and moves the cursor to the previous token. */
  protected drop(): void {
    this.#tokens = [...this.#tokens.slice(0, this.#at), ...this.#tokens.slice(this.#at + 1)];
    this.#at--;
  }

  /**
   * Returns the tokens of {@link segment} and moves the cursor to the last token. As in Caddy, omits an empty block. A directive that takes
   * no block therefore accepts an empty block if it is inside another block.
   */
  segmentTokens(): CaddyfileToken[] {
    const tokens = [this.token];
    while (this.nextArgument()) tokens.push(this.token);
    if (this.#startsBlock() && isClosing(this.#tokens[this.#at + 2])) {
      this.#at += 2;
      return tokens;
    }
    let depth = 0;
    for (let first = true; first ? this.#startsBlock() : depth > 0; first = false) {
      if (!this.next()) break;
      if (this.#isBare('{')) depth++;
      else if (this.#isBare('}')) depth--;
      tokens.push(this.token);
    }
    return tokens;
  }

  /** Moves the cursor back to the position before the first token. */
  reset(): void {
    this.#at = -1;
    this.#nesting = 0;
  }

  error(message: string, cause?: unknown): CaddyfileError {
    return errorAt(this.token, message, cause);
  }

  /** Creates an error for a wrong number of arguments. */
  argumentError(): CaddyfileError {
    if (this.value === '{') return this.error("unexpected token '{', expecting argument");
    return this.error(`wrong argument count or unexpected line ending after '${this.value}'`);
  }

  /** Creates an error for a token that differs from `expected`. */
  syntaxError(expected: string): CaddyfileError {
    return unexpectedToken(this.token, expected);
  }
}

function isClosing(token: CaddyfileToken | undefined): boolean {
  return token?.text === '}' && token.quote === '';
}
