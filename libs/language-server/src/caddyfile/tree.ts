/**
 * The structure of a Caddyfile that is being written: sections, lines and blocks with their places in the text. The parser
 * of the adapter refuses what is not whole; this one takes any text, and makes of it what is there.
 */
import { basename } from 'node:path';
import { locateTokens, startsLine, type LocatedToken } from '@sluice/caddyfile';

/** A directive, an option or anything else that stands on a line, with the block that begins on it. */
export interface Line {
  /** Its words, the name first; a line that begins with a brace has none. */
  readonly words: LocatedToken[];
  /** `null` where it has none. */
  block: Block | null;
  readonly parent: Block;
}

/** What stands between braces. Ends with the text where the closing one is missing. */
export interface Block {
  /** Index after `{`; 0 for a site without braces. */
  readonly start: number;
  /** Index of `}`, or the length of the text. */
  end: number;
  readonly lines: Line[];
  /** The line that it belongs to; `null` for the block of a section. */
  readonly line: Line | null;
  readonly section: Section;
}

/** What a section is, by the words before its block. A fragment is a whole file of directives, which others import. */
export type SectionKind = 'global' | 'site' | 'snippet' | 'route' | 'import' | 'fragment';

/** What stands at the top of a file: global options, a site, a snippet, a named route, an `import`. */
export interface Section {
  readonly kind: SectionKind;
  /** Addresses, `(name)`, `&(name)`, or the words of the import. */
  readonly keys: LocatedToken[];
  block: Block | null;
}

/** A file, and what it consists of. */
export interface CaddyfileTree {
  readonly text: string;
  readonly tokens: readonly LocatedToken[];
  readonly sections: readonly Section[];
  /** Closing braces outside of all blocks. */
  readonly strayBraces: readonly LocatedToken[];
}

/** Tells whether a name is that of a directive. */
export type IsDirective = (name: string) => boolean;

/** Reads any text. */
export function readTree(text: string, file: string, isDirective: IsDirective): CaddyfileTree {
  const tokens = locateTokens(text, file);
  const isFragment = tokens[0] !== undefined && beginsFragment(tokens[0], file, isDirective);
  return { text, tokens, ...new TreeReader(tokens, text.length).run(isFragment) };
}

/** A file that is not called as Caddyfiles are, and begins with a directive or a matcher, is for a site to import. */
function beginsFragment({ token }: LocatedToken, file: string, isDirective: IsDirective): boolean {
  if (token.quote !== '' || basename(file).startsWith('Caddyfile')) return false;
  return token.text.startsWith('@') || isDirective(token.text);
}

/** Whether a token is this text, without quotes. */
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

  /** Whether the token at an index begins a line. */
  #beginsLine(at: number): boolean {
    const [before, token] = [this.#tokens[at - 1], this.#tokens[at]];
    return before === undefined || token === undefined || startsLine(before.token, token.token);
  }

  #section(): void {
    const keys = this.#keys();
    const section: Section = { kind: kindOf(keys), keys, block: null };
    if (isBare(this.#tokens[this.#at], '{')) {
      this.#sections.push(section);
      section.block = this.#block(section, (this.#tokens[this.#at++] as LocatedToken).end);
    } else if (keys.length === 0) {
      this.#strayBraces.push(this.#tokens[this.#at++] as LocatedToken);
    } else {
      this.#sections.push(section);
      if (section.kind === 'site' && this.#isAlone()) section.block = this.#block(section, keys.at(-1)?.end ?? 0);
    }
  }

  /** A site without braces is the only section that has directives; one that is being written stands among others. */
  #isAlone(): boolean {
    return this.#sections.every(({ kind }, at) => kind !== 'site' || at === this.#sections.length - 1);
  }

  #keys(): LocatedToken[] {
    const keys: LocatedToken[] = [];
    for (let more = false; this.#at < this.#tokens.length; this.#at++) {
      const token = this.#tokens[this.#at] as LocatedToken;
      if (isBare(token, '{') || isBare(token, '}')) break;
      if (keys.length > 0 && !more && this.#beginsLine(this.#at)) break;
      keys.push(token);
      more = token.token.text.endsWith(',') && !isBare(keys[0], 'import');
    }
    return keys;
  }

  /** Reads lines up to the brace that closes the block. A loop, as blocks may be nested deeper than the stack. */
  #block(section: Section, start: number): Block {
    const outermost: Block = { start, end: this.#length, lines: [], line: null, section };
    let block = outermost;
    let line: Line | null = null;
    for (; this.#at < this.#tokens.length; this.#at++) {
      const token = this.#tokens[this.#at] as LocatedToken;
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

/** The name in `(name)` or `&(name)`, or `null`. */
export function nameOf({ token: { text } }: LocatedToken, prefix: '(' | '&('): string | null {
  return text.startsWith(prefix) && text.endsWith(')') ? text.slice(prefix.length, -1) : null;
}

/** All lines of a block, those of blocks within it, too; outer ones first. */
export function* linesOf(block: Block | null): Generator<Line, void, void> {
  const waiting = [...(block?.lines ?? [])].reverse();
  for (let line = waiting.pop(); line !== undefined; line = waiting.pop()) {
    yield line;
    const inner = line.block?.lines ?? [];
    for (let at = inner.length - 1; at >= 0; at--) waiting.push(inner[at] as Line);
  }
}
