/** Regular expressions of nginx (PCRE) as those of the native JSON (RE2). */
import { compileRegExp, messageOf } from '@sluice/base';
import type { Node } from '../json.ts';
import { problemAt, type Place } from '../problem.ts';
import type { Requirement } from '../paths.ts';
import { splitLookAhead } from './look-ahead.ts';

/** How a word of a directive is to be taken as an expression. */
export interface ExpressionOptions {
  /** `~*`: letters match in either case. */
  readonly insensitive?: boolean;
}

/** A translated expression with those that must match as well, or must not. */
export interface Expression {
  readonly pattern: string;
  readonly requirements: readonly Requirement[];
}

/** Translates an expression where several can be asked for: look-ahead at the beginning is possible there. */
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
 * The options of a matcher for an expression: `matcher` gives the one for a pattern. The captures are those of the main
 * pattern, under `name`.
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

/** Translates an expression. One that has no counterpart is an error: a location left out might be one that protects. */
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

/** `(?<name>` is a named group, `(?<=` and `(?<!` look behind. */
function named(source: string, at: number, found: string): string {
  return /[=!]/.test(source[at + 3] ?? '') ? found : '(?P<';
}

/** The names of the groups of an expression. */
export function groupNames(source: string): string[] {
  return [...source.matchAll(/\(\?P?<([A-Za-z_]\w*)>/g)].map(([, name = '']) => name);
}

/** A text as an expression that matches just it. */
export function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** A negative look-ahead for fixed texts at the end of an expression, with what stands before and after it. */
const fixedLookAhead =
  /^(.*)\(\?!((?:[\w/-]|\\\W)+(?:\|(?:[\w/-]|\\\W)+)*|\((?:\?:)?(?:[\w/-]|\\\W)+(?:\|(?:[\w/-]|\\\W)+)*\))\)((?:\.\*)?\$?)$/s;

/**
 * Replaces a negative look-ahead for fixed texts, as in `/\.(?!well-known)`, by what may follow instead. That is the same
 * only where nothing but `.*` stands after it.
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

/** An expression for what begins with none of some texts: the end, a character that none has there, or deeper so. */
function otherThan(texts: readonly string[]): string {
  const firsts = [...new Set(texts.map((text) => text[0] as string))];
  const deeper = firsts.flatMap((first) => {
    const rests = texts.filter((text) => text[0] === first).map((text) => text.slice(1));
    return rests.includes('') ? [] : [`${literal(first)}${otherThan(rests)}`];
  });
  return `(?:$|[^${firsts.map((first) => (first === '-' ? '\\-' : literal(first))).join('')}]${deeper.map((it) => `|${it}`).join('')})`;
}
