/** Look-ahead, which RE2 lacks: an expression that has one becomes several, of which some must not match. */
import type { Requirement } from '../paths.ts';

/** An expression without its look-ahead, and what that asked for. */
export interface Split {
  readonly source: string;
  readonly requirements: readonly Requirement[];
}

/**
 * Splits `^/(?!a|b)c` into `^/c` and the requirement that `^/(?:a|b)` does not match. The two together say the same
 * because what stands before the look-ahead can match in one place only: it is anchored, and plain text. An expression of
 * another kind is returned as it is.
 */
export function splitLookAhead(source: string): Split {
  const [before = ''] = /^\^(?:[\w/-]|\\[^\w\s])*/.exec(source) ?? [];
  const requirements: Requirement[] = [];
  let rest = source.slice(before.length);
  // `^/a?(?!b)`: the last character before a quantifier belongs to what follows.
  if (before === '' || /^[?*+{]/.test(rest)) return { source, requirements };
  while (/^\(\?[!=]/.test(rest)) {
    const end = closing(rest);
    if (end < 0) return { source, requirements: [] };
    requirements.push({ pattern: `${before}(?:${rest.slice(3, end)})`, not: rest[2] === '!' });
    rest = rest.slice(end + 1);
  }
  // Alternatives on the outside are none of what stands before the look-ahead, and groups in it would count as `$1`.
  const groups = requirements.some(({ pattern }) => hasGroups(pattern)) && hasGroups(rest);
  if (requirements.length === 0 || groups || hasAlternatives(rest)) return { source, requirements: [] };
  return { source: before + rest, requirements };
}

/** Index of the parenthesis that closes the first one; -1 if there is none. */
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

/** Parentheses and bars that are not escaped and not in a class. */
function significant(source: string): RegExpExecArray[] {
  return [...source.matchAll(/\\.|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]|[()|]/gs)].filter(([text]) => text.length === 1);
}
