/** Regular expressions of nginx (PCRE) as those of the native JSON (RE2). */
import { compileRegExp, messageOf } from '@sluice/base';
import { problemAt, type Place } from '../problem.ts';

/** How a word of a directive is to be taken as an expression. */
export interface ExpressionOptions {
  /** `~*`: letters match in either case. */
  readonly insensitive?: boolean;
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
      `the regular expression ${JSON.stringify(source)} is not possible here (RE2 has no look-around, back references or atomic groups): ${messageOf(error)}`,
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

/**
 * Replaces a negative look-ahead for fixed texts, as in `/\.(?!well-known)`, by what may follow instead. That is the same
 * only where nothing but `.*` stands after it.
 */
function withoutLookahead(source: string): string {
  const match = /^(.*)\(\?!([\w/-]+(?:\|[\w/-]+)*|\((?:\?:)?[\w/-]+(?:\|[\w/-]+)*\))\)((?:\.\*)?\$?)$/s.exec(source);
  if (match === null) return source;
  const [, before = '', inside = '', rest = ''] = match;
  const texts = inside.replaceAll(/[()]|\?:/g, '').split('|');
  return rest === '$' ? source : `${before}${otherThan(texts)}`;
}

/** An expression for what begins with none of some texts: the end, a character that none has there, or deeper so. */
function otherThan(texts: readonly string[]): string {
  const firsts = [...new Set(texts.map((text) => text[0] as string))];
  const deeper = firsts.flatMap((first) => {
    const rests = texts.filter((text) => text[0] === first).map((text) => text.slice(1));
    return rests.includes('') ? [] : [`${literal(first)}${otherThan(rests)}`];
  });
  return `(?:$|[^${firsts.map((first) => (first === '-' ? '\\-' : first)).join('')}]${deeper.map((it) => `|${it}`).join('')})`;
}
