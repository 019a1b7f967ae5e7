/** Translates nginx's PCRE regular expressions to RE2. */
import { compileRegExp, messageOf } from '@sluice/base';
import type { Node } from '../json.ts';
import { problemAt, type Place } from '../problem.ts';
import type { Requirement } from '../paths.ts';
import { splitLookAhead } from './look-ahead.ts';

/** Options for translating a word as a regular expression. */
export interface ExpressionOptions {
  /** True if matching is case-insensitive (`~*`). */
  readonly insensitive?: boolean;
}

/** A translated regular expression and its additional requirements. */
export interface Expression {
  readonly pattern: string;
  readonly requirements: readonly Requirement[];
}

/**
 * Translates a regular expression for a context that supports several regular expressions. In such a context, lookahead at the start is
 * supported.
 */
export function expressionOf(place: Place, source: string, options: ExpressionOptions = {}): Expression {
  const split = splitLookAhead(source);
  return {
    pattern: regularExpression(place, split.source, options),
    requirements: split.requirements.map(({ pattern, not }) => ({
      pattern: regularExpression(place, pattern, options),
      not,
    })),
  };
}

/**
 * Returns matcher options for a regular expression. `matcher` creates the options for one pattern. Captures of the main pattern are stored
 * under `name`.
 */
export function expressionMatcher(
  { pattern, requirements }: Expression,
  name: string | null,
  matcher: (expression: Node) => Node,
): Node {
  const not = requirements.map((each) => {
    const node = matcher({ pattern: each.pattern });
    return each.not ? node : { not: [node] };
  });
  return { ...matcher(name === null ? { pattern } : { name, pattern }), ...(not.length === 0 ? {} : { not }) };
}

/**
 * Translates a regular expression. An unsupported regular expression is an error, because omitting its location could remove an access
 * restriction.
 */
export function regularExpression(
  place: Place,
  source: string,
  { insensitive = false }: ExpressionOptions = {},
): string {
  const pattern =
    (insensitive ? '(?i)' : '') + withoutLookahead(source.replaceAll('(?<', (it, at: number) => named(source, at, it)));
  try {
    compileRegExp(pattern);
    return pattern;
  } catch (error) {
    throw problemAt(
      place,
      `unsupported regular expression ${JSON.stringify(source)} (RE2 has no lookaround, backreferences or atomic groups): ${messageOf(error)}`,
      error,
    );
  }
}

/** Converts `(?<name>`, which is a named group. `(?<=` and `(?<!` are lookbehind assertions. */
function named(source: string, at: number, found: string): string {
  return /[=!]/.test(source[at + 3] ?? '') ? found : '(?P<';
}

export function groupNames(source: string): string[] {
  return [...source.matchAll(/\(\?P?<([A-Za-z_]\w*)>/g)].map(([, name = '']) => name);
}

/** Escapes a string for literal use in a regular expression. */
export function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** Matches a regular expression that ends with a negative lookahead for literals. Captures the parts before and after the lookahead. */
const fixedLookAhead =
  /^(.*)\(\?!((?:[\w/-]|\\\W)+(?:\|(?:[\w/-]|\\\W)+)*|\((?:\?:)?(?:[\w/-]|\\\W)+(?:\|(?:[\w/-]|\\\W)+)*\))\)((?:\.\*)?\$?)$/s;

/**
 * Replaces a negative lookahead for literals with a pattern for all allowed continuations, for example in `/\.(?!well-known)`. This is
 * equivalent only if the lookahead is followed by nothing or by `.*`.
 */
function withoutLookahead(source: string): string {
  const match = fixedLookAhead.exec(source);
  if (match === null) return source;
  const [, before = '', inside = '', rest = ''] = match;
  const texts = inside
    .replace(/^\((?:\?:)?(.*)\)$/s, '$1')
    .split('|')
    .map((text) => text.replaceAll(/\\(\W)/g, '$1'));
  return rest === '$' ? source : `${before}${otherThan(texts)}`;
}

/**
 * Returns a regular expression for strings that start with none of the literals. Such a string is empty or starts with a different
 * character. If it shares its first character with some literals, the rest is handled recursively.
 */
function otherThan(texts: readonly string[]): string {
  const firsts = [...new Set(texts.map((text) => text.charAt(0)))];
  const deeper = firsts.flatMap((first) => {
    const rests = texts.filter((text) => text[0] === first).map((text) => text.slice(1));
    return rests.includes('') ? [] : [`${literal(first)}${otherThan(rests)}`];
  });
  return `(?:$|[^${firsts.map((first) => (first === '-' ? '\\-' : literal(first))).join('')}]${deeper.map((it) => `|${it}`).join('')})`;
}
