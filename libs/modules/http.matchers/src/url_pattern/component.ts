/**
 * Patterns of URL components (WHATWG URL Pattern §2.1 "Parsing patterns"). They are compiled to RE2 expressions, because JavaScript's
 * regular expressions are vulnerable to catastrophic backtracking.
 */
import { compileRegExp, type SafeRegExp } from '@sluice/base';

/** Parsing rules of a URL component. */
export interface ComponentSyntax {
  readonly delimiter: string;
  /** Character that precedes a group and belongs to it. The character is optional if the group is optional. */
  readonly prefix: string;
}

export interface Component {
  readonly expression: SafeRegExp;
  /** Names of the capturing groups, in order. Unnamed groups are numbered from 0. */
  readonly groups: readonly string[];
}

/**
 * Compiles a component pattern that `URLPattern` has normalized. In the pattern, indexes into `expressions` replace the parenthesized
 * expressions. Throws ERR_VALUE for expressions that RE2 does not support.
 */
export function compileComponent(
  pattern: string,
  expressions: readonly string[],
  syntax: ComponentSyntax,
  ignoreCase: boolean,
): Component {
  const parser = new PatternParser(pattern, expressions, syntax);
  const source = parser.parse();
  return { expression: compileRegExp(`(?s${ignoreCase ? 'i' : ''})^(?:${source})$`), groups: parser.groups };
}

function escapeText(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** A group: the content of braces, or a capturing group with its prefix and suffix. */
interface Group {
  readonly prefix: string;
  /** Regular expression of the captured part, or `null` if the group captures nothing. */
  readonly body: string | null;
  readonly suffix: string;
}

class PatternParser {
  readonly groups: string[] = [];
  readonly #pattern: string;
  readonly #expressions: readonly string[];
  readonly #syntax: ComponentSyntax;
  #at = 0;
  #unnamed = 0;

  constructor(pattern: string, expressions: readonly string[], syntax: ComponentSyntax) {
    this.#pattern = pattern;
    this.#expressions = expressions;
    this.#syntax = syntax;
  }

  parse(): string {
    let source = '';
    while (this.#at < this.#pattern.length) source += this.#part();
    return source;
  }

  #part(): string {
    if (this.#take('{')) {
      const prefix = this.#text();
      const body = this.#body();
      const suffix = this.#text();
      this.#take('}');
      return quantify({ prefix, body, suffix }, this.#modifier());
    }
    const prefix = this.#prefix();
    const body = this.#body();
    if (body !== null) return quantify({ prefix, body, suffix: '' }, this.#modifier());
    return prefix === '' ? escapeText(this.#character()) : escapeText(prefix);
  }

  /** Parses the prefix character if a capturing group follows. */
  #prefix(): string {
    const { prefix } = this.#syntax;
    if (prefix === '' || !this.#pattern.startsWith(prefix, this.#at)) return '';
    this.#at += prefix.length;
    return prefix;
  }

  /** Parses literal text up to a group or a brace. */
  #text(): string {
    let text = '';
    while (
      this.#at < this.#pattern.length &&
      !/^(?:[{}(*]|:[\p{ID_Start}$_])/u.test(this.#pattern.slice(this.#at, this.#at + 3))
    )
      text += this.#character();
    return text;
  }

  #character(): string {
    this.#take('\\');
    const character = String.fromCodePoint(this.#pattern.codePointAt(this.#at) ?? 0);
    this.#at += character.length;
    return character;
  }

  #body(): string | null {
    const [, name] = /^:([\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*)/u.exec(this.#pattern.slice(this.#at)) ?? [];
    if (name !== undefined) this.#at += name.length + 1;
    const custom = this.#custom();
    if (name === undefined && custom === null && !this.#take('*')) return null;
    this.groups.push(name ?? String(this.#unnamed++));
    if (custom !== null) return custom;
    if (name === undefined) return '.*';
    const { delimiter } = this.#syntax;
    return delimiter === '' ? '.+?' : `[^${escapeText(delimiter)}]+?`;
  }

  /** Parses a parenthesized expression, represented by its index; see custom-groups.ts. */
  #custom(): string | null {
    const [token, number] = /^\((\d+)\)/.exec(this.#pattern.slice(this.#at)) ?? [];
    if (token === undefined) return null;
    this.#at += token.length;
    return this.#expressions[Number(number)] ?? null;
  }

  #modifier(): string {
    const next = this.#pattern[this.#at] ?? '';
    if (next === '' || !'?*+'.includes(next)) return '';
    this.#at++;
    return next;
  }

  #take(character: string): boolean {
    const found = this.#pattern[this.#at] === character;
    if (found) this.#at++;
    return found;
  }
}

/** Returns the regular expression of an optional or repeated group. Between repetitions, the suffix and the prefix must occur. */
function quantify({ prefix, body, suffix }: Group, modifier: string): string {
  const [before, after] = [escapeText(prefix), escapeText(suffix)];
  if (body === null) return modifier === '' ? before + after : `(?:${before}${after})${modifier}`;
  if (modifier === '' || modifier === '?') return `(?:${before}(${body})${after})${modifier}`;
  return `(?:${before}((?:${body})(?:${after}${before}(?:${body}))*)${after})${modifier === '*' ? '?' : ''}`;
}
