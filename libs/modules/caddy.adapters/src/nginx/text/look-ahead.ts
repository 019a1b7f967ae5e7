/**
 * Translates lookahead, which RE2 does not support. The result is several regular expressions. Some of them must match, and the others must
 * not match.
 */
import type { Requirement } from '../paths.ts';

/** A regular expression without its lookahead, and the additional requirements that replace the lookahead. */
export interface Split {
  readonly source: string;
  readonly requirements: readonly Requirement[];
}

/**
 * Splits `^/(?!a|b)c` into `^/c` and the requirement that `^/(?:a|b)` does not match. The result is equivalent, because the part before the
 * lookahead is anchored literal text. It can match at only one position. Other regular expressions are returned unchanged.
 */
export function splitLookAhead(source: string): Split {
  const [before = ''] = /^\^(?:[\w/-]|\\[^\w\s])*/.exec(source) ?? [];
  const requirements: Requirement[] = [];
  let rest = source.slice(before.length);
  // In `^/a?(?!b)`, the quantifier also applies to the character before it, so that character is not a fixed prefix.
  if (before === '' || /^[?*+{]/.test(rest)) return { source, requirements };
  while (/^\(\?[!=]/.test(rest)) {
    const end = closing(rest);
    if (end < 0) return { source, requirements: [] };
    requirements.push({ pattern: `${before}(?:${rest.slice(3, end)})`, not: rest[2] === '!' });
    rest = rest.slice(end + 1);
  }
  // If there are top-level alternatives, only the first would include the part before the lookahead. Groups in the lookahead would change
  // the numbers of captures such as `$1`.
  const groups = requirements.some(({ pattern }) => hasGroups(pattern)) && hasGroups(rest);
  if (requirements.length === 0 || groups || hasAlternatives(rest)) return { source, requirements: [] };
  return { source: before + rest, requirements };
}

/** Returns the index of the parenthesis that closes the first parenthesis, or -1 if there is none. */
function closing(source: string): number {
  let depth = 0;
  for (const { index, 0: unit } of significant(source)) {
    if (unit === '(') depth++;
    else if (unit === ')' && --depth === 0) return index;
  }
  return -1;
}

function hasAlternatives(source: string): boolean {
  let depth = 0;
  for (const [unit] of significant(source)) {
    if (unit === '(') depth++;
    else if (unit === ')') depth--;
    else if (unit === '|' && depth === 0) return true;
  }
  return false;
}

function hasGroups(source: string): boolean {
  return significant(source).some(({ 0: unit, index }) => unit === '(' && !/^\(\?(?!P?<\w)/.test(source.slice(index)));
}

/** Returns the unescaped parentheses and vertical bars outside of character classes. */
function significant(source: string): RegExpExecArray[] {
  return [...source.matchAll(/\\.|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]|[()|]/gs)].filter(([text]) => text.length === 1);
}
