/** Groups tokens into server blocks and directives. Does not interpret the directives. */
import { errorAt, unexpectedToken } from '../errors.ts';
import type { Environment } from '@sluice/base';
import { tokenize } from '../lexer/lexer.ts';
import { startsLine, type CaddyfileToken } from '../token.ts';
import { Imports } from './imports.ts';
import type { ParsedFile, Segment, ServerBlock } from './site.ts';
import { TokenSource } from './source.ts';

/** Maximum depth of nested blocks. */
const maxDepth = 200;

/** Parses a Caddyfile and its imports. Error messages include the file and line. Calls `reads` with each imported path or pattern. */
export function parseCaddyfile(
  text: string,
  file: string,
  environment: Environment = {},
  reads: (pattern: string) => void = () => {},
): ParsedFile {
  const imports = new Imports(environment, reads);
  return new Parser(tokenize(imports.replace(text, file), file), imports).run();
}

/** Returns the name in `(name)` or `&(name)`. Returns `null` for other text. */
function nameIn(text: string, prefix: string): string | null {
  return text.startsWith(prefix) && text.endsWith(')') ? text.slice(prefix.length, -1) : null;
}

class Parser {
  readonly #source: TokenSource;
  readonly #imports: Imports;
  readonly #blocks: ServerBlock[] = [];

  constructor(tokens: readonly CaddyfileToken[], imports: Imports) {
    this.#source = new TokenSource(tokens);
    this.#imports = imports;
  }

  run(): ParsedFile {
    while (this.#source.peek() !== null) this.#block();
    return { blocks: this.#blocks, warnings: this.#imports.warnings, files: this.#imports.files };
  }

  #block(): void {
    const { keys, ended } = this.#keys();
    const [first] = keys;
    if (first !== undefined && keys.length === 1) {
      const snippet = nameIn(first.text, '(');
      if (snippet !== null) return this.#snippet(first, snippet);
      const route = nameIn(first.text, '&(');
      if (route !== null) {
        const segments = ended ? [] : this.#bracedOnly();
        this.#blocks.push({ keys: [first.withText(route)], segments, braced: true, namedRoute: true });
        return;
      }
    }
    const braced = this.#isBrace('{');
    const segments = ended ? [] : this.#contents();
    if (keys.length > 0 || segments.length > 0) this.#blocks.push({ keys, segments, braced, namedRoute: false });
  }

  #isBrace(text: string): boolean {
    const next = this.#source.peek();
    return next !== null && next.quote === '' && next.text === text;
  }

  /** Parses the addresses before a block. Spaces or commas separate addresses. A line break may follow a comma. */
  #keys(): { keys: CaddyfileToken[]; ended: boolean } {
    const source = this.#source;
    const keys: CaddyfileToken[] = [];
    let expectsMore = false;
    for (;;) {
      const token = source.peek();
      if (token === null) {
        if (expectsMore) throw errorAt(source.last as CaddyfileToken, 'Unexpected EOF');
        return { keys, ended: true };
      }
      if (keys.length > 0 && !expectsMore && source.nextStartsLine) return { keys, ended: false };
      if (token.text === 'import' && token.quote === '' && source.nextStartsLine) {
        this.#import();
        continue;
      }
      if (token.text === '{') {
        if (expectsMore)
          throw errorAt(token, `Expected another address but had '${token.text}' - check for extra comma`);
        return { keys, ended: false };
      }
      source.next();
      if (token.text === '') continue;
      if (token.text.endsWith('{') && !token.text.endsWith('\\{')) {
        throw errorAt(
          token,
          `Site addresses cannot end with a curly brace: '${token.text}' - put a space between the token and the brace`,
        );
      }
      expectsMore = token.text.endsWith(',');
      const key = expectsMore ? token.withText(token.text.slice(0, -1)) : token;
      if (key.text.includes(',')) {
        throw errorAt(
          token,
          `Site addresses cannot contain a comma ',': '${key.text}' - put a space after the comma to separate site addresses`,
        );
      }
      if (key.text !== '') keys.push(key);
    }
  }

  #snippet(key: CaddyfileToken, name: string): void {
    const tokens = this.#bracedTokens();
    if (!this.#imports.define(name, tokens)) {
      throw errorAt(key, `redeclaration of previously declared snippet ${name}`);
    }
  }

  #open(): void {
    const token = this.#source.next();
    if (token?.text !== '{')
      throw token === null
        ? errorAt(this.#source.last as CaddyfileToken, 'unexpected EOF')
        : unexpectedToken(token, '{');
  }

  #close(): void {
    const token = this.#source.next() ?? this.#source.last;
    if (token !== null && token.text !== '}') throw unexpectedToken(token, '}');
  }

  /** Returns all tokens inside a block, without the braces. Imports are not resolved. */
  #bracedTokens(): CaddyfileToken[] {
    this.#open();
    const tokens: CaddyfileToken[] = [];
    for (let depth = 1; ;) {
      const token = this.#source.next();
      if (token === null) throw errorAt(this.#source.last as CaddyfileToken, 'unexpected EOF');
      if (token.quote === '' && token.text === '}' && --depth === 0) return tokens;
      if (token.quote === '' && token.text === '{') depth++;
      tokens.push(token);
    }
  }

  #bracedOnly(): Segment[] {
    this.#open();
    const segments = this.#directives();
    this.#close();
    return segments;
  }

  /** Parses the content of a block. A site without braces must be the only site in the file. */
  #contents(): Segment[] {
    if (this.#isBrace('{')) return this.#bracedOnly();
    const segments = this.#directives();
    if (this.#isBrace('}')) this.#source.next();
    return segments;
  }

  #directives(): Segment[] {
    const source = this.#source;
    const segments: Segment[] = [];
    for (let token = source.peek(); token !== null; token = source.peek()) {
      if (token.text === '}' && token.quote === '') break;
      if (token.text === 'import' && token.quote === '' && source.nextStartsLine) this.#import();
      else segments.push(this.#segment());
    }
    return segments;
  }

  /** Parses one directive. The directive ends at the end of the line, including blocks that begin on the line. */
  #segment(): Segment {
    const source = this.#source;
    const segment = [source.next() as CaddyfileToken];
    let depth = 0;
    for (let token = source.peek(); token !== null; token = source.peek()) {
      const bare = token.quote === '';
      const newLine = source.nextStartsLine;
      if (bare && token.text === '{') {
        depth++;
        if (depth > maxDepth) throw errorAt(token, `blocks are nested more than ${maxDepth} levels deep`);
        const second = source.peekSecond();
        if (newLine)
          throw errorAt(token, "Unexpected '{' on a new line; did you mean to place the '{' on the previous line?");
        if (second !== null && !startsLine(token, second))
          throw errorAt(token, "Unexpected next token after '{' on same line");
      } else if (bare && token.text === '{}') {
        const second = source.peekSecond();
        if (second === null || startsLine(token, second)) throw errorAt(token, "Unexpected '{}' at end of line");
      } else if (newLine && depth === 0) {
        return segment;
      } else if (bare && token.text === '}') {
        if (depth === 0) throw errorAt(token, "Unexpected '}' because no matching opening brace");
        depth--;
      } else if (bare && token.text === 'import' && newLine) {
        this.#import();
        continue;
      }
      segment.push(source.next() as CaddyfileToken);
    }
    if (depth > 0) throw errorAt(source.last as CaddyfileToken, 'unexpected EOF');
    return segment;
  }

  /** Parses `import TARGET ARGUMENTS… [{ … }]` and replaces the directive with the imported tokens. */
  #import(): void {
    const source = this.#source;
    const statement = source.next() as CaddyfileToken;
    const given: CaddyfileToken[] = [];
    let block: CaddyfileToken[] | null = null;
    for (let token = source.peek(); token !== null && !source.nextStartsLine; token = source.peek()) {
      if (token.text === '{' && token.quote === '' && given.length > 0) {
        block = this.#bracedTokens();
        break;
      }
      given.push(source.next() as CaddyfileToken);
    }
    const [target, ...values] = given;
    if (target === undefined || target.text === '') {
      throw errorAt(statement, `wrong argument count or unexpected line ending after 'import'`);
    }
    source.insert(this.#imports.resolve({ statement, target, values, block, line: (source.last ?? statement).line }));
  }
}
