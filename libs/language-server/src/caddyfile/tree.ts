/**
 * Error-tolerant Caddyfile parser. Finds sections, lines and blocks, and their positions. The adapter's parser rejects incomplete input,
 * while this parser accepts any text.
 */
import { itemAt } from '@sluice/base';
import { basename } from 'node:path';
import { locateTokens, startsLine, type LocatedToken } from '@sluice/caddyfile';

/** A directive, option or other line, including the block that starts on the line. */
export interface Line {
  /** Words of the line, starting with its name. Empty for a line that begins with a brace. */
  readonly words: LocatedToken[];
  /** Block that starts on the line; `null` if there is none. */
  block: Block | null;
  readonly parent: Block;
}

export interface Block {
  /** Offset after the opening brace; 0 for a site without braces. */
  readonly start: number;
  /** Offset of the closing brace, or the length of the text if the block is not closed. */
  end: number;
  readonly lines: Line[];
  /** Line on which the block starts; `null` for the block of a section. */
  readonly line: Line | null;
  readonly section: Section;
}

/**
 * Type of a section, determined by the words before its block. A fragment is a file that contains directives and is imported by other
 * files.
 */
export type SectionKind = 'global' | 'site' | 'snippet' | 'route' | 'import' | 'fragment';

/** Top-level element of a Caddyfile: global options, a site, a snippet, a named route, or an `import`. */
export interface Section {
  readonly kind: SectionKind;
  /** Words before the block: site addresses, `(name)`, `&(name)`, or the words of the import. */
  readonly keys: LocatedToken[];
  block: Block | null;
}

/** A parsed file. */
export interface CaddyfileTree {
  readonly text: string;
  readonly tokens: readonly LocatedToken[];
  readonly sections: readonly Section[];
  /** Closing braces outside any block. */
  readonly strayBraces: readonly LocatedToken[];
}

export type IsDirective = (name: string) => boolean;

export function readTree(text: string, file: string, isDirective: IsDirective): CaddyfileTree {
  const tokens = locateTokens(text, file);
  const isFragment = tokens[0] !== undefined && isFragmentStart(tokens[0], file, isDirective);
  return { text, tokens, ...new TreeReader(tokens, text.length).run(isFragment) };
}

/**
 * Reports whether a file is a fragment, which is assumed to be imported by a site. A fragment begins with a directive or matcher, and its
 * file name isn't that of a Caddyfile.
 */
function isFragmentStart({ token }: LocatedToken, file: string, isDirective: IsDirective): boolean {
  if (token.quote !== '' || basename(file).startsWith('Caddyfile')) return false;
  return token.text.startsWith('@') || isDirective(token.text);
}

/** Reports whether a token is unquoted and equal to `text`. */
export function isBare(token: LocatedToken | undefined, text: string): boolean {
  return token !== undefined && token.token.quote === '' && token.token.text === text;
}

class TreeReader {
  readonly #tokens: readonly LocatedToken[];
  readonly #length: number;
  readonly #sections: Section[] = [];
  readonly #strayBraces: LocatedToken[] = [];
  #at = 0;

  constructor(tokens: readonly LocatedToken[], length: number) {
    this.#tokens = tokens;
    this.#length = length;
  }

  run(isFragment: boolean): Pick<CaddyfileTree, 'sections' | 'strayBraces'> {
    if (isFragment) {
      const section: Section = { kind: 'fragment', keys: [], block: null };
      section.block = this.#block(section, 0);
      this.#sections.push(section);
    }
    while (this.#at < this.#tokens.length) this.#section();
    return { sections: this.#sections, strayBraces: this.#strayBraces };
  }

  #beginsLine(at: number): boolean {
    const [before, token] = [this.#tokens[at - 1], this.#tokens[at]];
    return before === undefined || token === undefined || startsLine(before.token, token.token);
  }

  #section(): void {
    const keys = this.#keys();
    const section: Section = { kind: kindOf(keys), keys, block: null };
    if (isBare(this.#tokens[this.#at], '{')) {
      this.#sections.push(section);
      section.block = this.#block(section, itemAt(this.#tokens, this.#at++).end);
    } else if (keys.length === 0) {
      this.#strayBraces.push(itemAt(this.#tokens, this.#at++));
    } else {
      this.#sections.push(section);
      if (section.kind === 'site' && this.#isAlone()) section.block = this.#block(section, keys.at(-1)?.end ?? 0);
    }
  }

  /** Reports whether a site without braces is the only section with directives. If it isn't, the user is still typing a section. */
  #isAlone(): boolean {
    return this.#sections.every(({ kind }, at) => kind !== 'site' || at === this.#sections.length - 1);
  }

  #keys(): LocatedToken[] {
    const keys: LocatedToken[] = [];
    for (let more = false; this.#at < this.#tokens.length; this.#at++) {
      const token = itemAt(this.#tokens, this.#at);
      if (isBare(token, '{') || isBare(token, '}')) break;
      if (keys.length > 0 && !more && this.#beginsLine(this.#at)) break;
      keys.push(token);
      more = token.token.text.endsWith(',') && !isBare(keys[0], 'import');
    }
    return keys;
  }

  /** Parses lines up to the closing brace. The parser is iterative, because deep nesting could overflow the stack. */
  #block(section: Section, start: number): Block {
    const outermost: Block = { start, end: this.#length, lines: [], line: null, section };
    let block = outermost;
    let line: Line | null = null;
    for (; this.#at < this.#tokens.length; this.#at++) {
      const token = itemAt(this.#tokens, this.#at);
      if (isBare(token, '}')) {
        block.end = token.start;
        if (block.line === null) {
          this.#at++;
          return outermost;
        }
        block = block.line.parent;
        line = null;
        continue;
      }
      if (line === null || this.#beginsLine(this.#at)) {
        line = { words: [], block: null, parent: block };
        block.lines.push(line);
      }
      if (isBare(token, '{')) {
        line.block = { start: token.end, end: this.#length, lines: [], line, section };
        block = line.block;
        line = null;
      } else {
        line.words.push(token);
      }
    }
    return outermost;
  }
}

function kindOf(keys: readonly LocatedToken[]): SectionKind {
  const [first] = keys;
  if (first === undefined) return 'global';
  if (isBare(first, 'import')) return 'import';
  if (keys.length > 1) return 'site';
  return nameOf(first, '(') !== null ? 'snippet' : nameOf(first, '&(') !== null ? 'route' : 'site';
}

/** Returns the name in `(name)` or `&(name)`. Returns `null` for other tokens. */
export function nameOf({ token: { text } }: LocatedToken, prefix: '(' | '&('): string | null {
  return text.startsWith(prefix) && text.endsWith(')') ? text.slice(prefix.length, -1) : null;
}

/** Yields all lines of a block and its nested blocks. Outer lines precede nested lines. */
export function* linesOf(block: Block | null): Generator<Line, void, void> {
  const waiting = [...(block?.lines ?? [])].reverse();
  for (let line = waiting.pop(); line !== undefined; line = waiting.pop()) {
    yield line;
    const inner = line.block?.lines ?? [];
    waiting.push(...inner.toReversed());
  }
}
