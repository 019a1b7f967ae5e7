/**
 * What a directive reads its tokens with. It moves over them one by one, and knows lines and blocks:
 *
 *     directive.next();                              // its name
 *     const [status = '200'] = directive.remaining();  // words on its line
 *     for (const option of directive.block()) {      // names of the lines of its block
 *       if (option === 'body') body = directive.argument();
 *       else throw directive.error(`unknown option '${option}'`);
 *     }
 */
import type { Json } from '@sluice/base';
import { errorAt, unexpectedToken, type CaddyfileError } from '../errors.ts';
import { startsLine, CaddyfileToken } from '../token.ts';

const nothing = new CaddyfileToken('', { file: '', line: 0, column: 0 });

/** Finds the syntaxes of modules, for those who host them. */
export interface ModuleReader {
  /** Reads the module whose name the cursor stands on. */
  read(id: string, reader: Dispenser): Json;
  has(id: string): boolean;
  /** Returns the end of an error about an id that no module has: ` - did you mean 'x'?`, or nothing. */
  suggest(id: string): string;
  /** Says what is not an error, but may surprise. */
  warn(token: CaddyfileToken, message: string): void;
}

/** A cursor over tokens. */
export class Dispenser {
  readonly modules: ModuleReader;
  /** Name of the matcher that is being defined, without `@`; regular expressions are called by it. */
  readonly matcherName: string;
  #tokens: readonly CaddyfileToken[];
  #at = -1;
  #nesting = 0;

  constructor(tokens: readonly CaddyfileToken[], modules: ModuleReader, matcherName = '') {
    this.#tokens = tokens;
    this.modules = modules;
    this.matcherName = matcherName;
  }

  /** The tokens that it moves over. */
  get tokens(): readonly CaddyfileToken[] {
    return this.#tokens;
  }

  /** The token at the cursor, or an empty one before the first `next`. */
  get token(): CaddyfileToken {
    return this.#tokens[this.#at] ?? nothing;
  }

  /** The text at the cursor. */
  get value(): string {
    return this.token.text;
  }

  /** Whether the cursor is on the last token. */
  get ended(): boolean {
    return this.#at >= this.#tokens.length - 1;
  }

  /** How many blocks the cursor is in. */
  get nesting(): number {
    return this.#nesting;
  }

  /** Moves on to the next token. False at the end. */
  next(): boolean {
    if (this.#at >= this.#tokens.length - 1) return false;
    this.#at++;
    return true;
  }

  /** Moves back by one token. */
  back(): void {
    if (this.#at >= 0) this.#at--;
  }

  /** Moves on if there is a further word on the line; a `{` that opens a block is none. */
  nextArgument(): boolean {
    if (this.#at < 0) return this.next();
    const next = this.#tokens[this.#at + 1];
    if (next === undefined || startsLine(this.token, next) || (next.text === '{' && next.quote === '')) return false;
    this.#at++;
    return true;
  }

  /** Moves on if the next token begins a line. */
  nextLine(): boolean {
    const next = this.#tokens[this.#at + 1];
    if (next === undefined || (this.#at >= 0 && !startsLine(this.token, next))) return false;
    this.#at++;
    return true;
  }

  /** Moves on to the next line of the block that begins here, or leaves it: false. See {@link block}. */
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

  /** The names of the lines in the block that begins after the cursor, if one does; read their words in between. */
  *block(): Generator<string, void, void> {
    const outer = this.#nesting;
    while (this.nextInBlock(outer)) yield this.value;
  }

  /** Whether the next token on this line opens a block. */
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

  /** All further words of the line. */
  remaining(): string[] {
    const words: string[] = [];
    while (this.nextArgument()) words.push(this.value);
    return words;
  }

  /** All further words of the line, as tokens. */
  remainingTokens(): CaddyfileToken[] {
    const tokens: CaddyfileToken[] = [];
    while (this.nextArgument()) tokens.push(this.token);
    return tokens;
  }

  /** The next word of the line, which must be there. */
  argument(): string {
    if (!this.nextArgument()) throw this.argumentError();
    return this.value;
  }

  /** The next word of the line, which must be there and be the last. */
  onlyArgument(): string {
    const value = this.argument();
    this.noArguments();
    return value;
  }

  /** The next word of the line, which must be there and be all that is left: no further word and no block. */
  lastArgument(): string {
    const value = this.argument();
    this.nothingMore();
    return value;
  }

  /** The next word of the line if there is one; a further one is an error. */
  optionalArgument(): string | null {
    if (!this.nextArgument()) return null;
    const { value } = this;
    this.noArguments();
    return value;
  }

  /** Refuses a further word on the line. */
  noArguments(): void {
    if (this.nextArgument()) throw this.argumentError();
  }

  /** Refuses a further word, line or block. */
  nothingMore(): void {
    if (this.next()) throw this.argumentError();
  }

  /** All further words of the line, of which there must be `least` at least. */
  arguments(least = 1): string[] {
    const words = this.remaining();
    if (words.length < least) throw this.argumentError();
    return words;
  }

  /** The tokens from the cursor to the end of its line, with the blocks that begin on it, for another reader. */
  segment(): Dispenser {
    return new Dispenser(this.segmentTokens(), this.modules, this.matcherName);
  }

  /** Reads a module whose name the cursor stands on, to the end of its line or block. `id` is the module's. */
  module(id: string): Json {
    const reader = this.segment();
    reader.next();
    return this.modules.read(id, reader);
  }

  /** Options of a module that is only named: the usual ones. */
  bareModule(id: string): Json {
    if (!this.modules.has(id)) {
      const hint = this.modules.suggest(id);
      throw this.error(`getting module named '${id}': module not registered: ${id}${hint}`);
    }
    return {};
  }

  /** Takes the token at the cursor away; the cursor is on the one before it. */
  protected drop(): void {
    this.#tokens = [...this.#tokens.slice(0, this.#at), ...this.#tokens.slice(this.#at + 1)];
    this.#at--;
  }

  /**
   * Returns the tokens of {@link segment}; the cursor is on the last of them afterwards. An empty block is left out, as the
   * reference does: what takes no block takes an empty one within another.
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

  /** Begins again. */
  reset(): void {
    this.#at = -1;
    this.#nesting = 0;
  }

  /** An error at the cursor. */
  error(message: string, cause?: unknown): CaddyfileError {
    return errorAt(this.token, message, cause);
  }

  /** Too few or too many words. */
  argumentError(): CaddyfileError {
    if (this.value === '{') return this.error("unexpected token '{', expecting argument");
    return this.error(`wrong argument count or unexpected line ending after '${this.value}'`);
  }

  /** Another token than `expected`. */
  syntaxError(expected: string): CaddyfileError {
    return unexpectedToken(this.token, expected);
  }
}

function isClosing(token: CaddyfileToken | undefined): boolean {
  return token?.text === '}' && token.quote === '';
}
