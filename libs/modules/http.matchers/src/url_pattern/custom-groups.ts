/**
 * Parenthesized expressions in URL patterns. `URLPattern` would compile them as JavaScript regular expressions. They are therefore removed
 * before `URLPattern` parses the pattern, and inserted again as RE2 expressions, which don't backtrack.
 */
import { valueError } from '@sluice/base';

/** A URL pattern whose parenthesized expressions are replaced by numbers: `/a/(0)`. */
export interface TakenApart {
  readonly pattern: string;
  readonly expressions: readonly string[];
}

/** Extracts the parenthesized expressions of a URL pattern. Throws ERR_VALUE for expressions that the standard forbids. */
export function takeExpressions(source: string): TakenApart {
  const expressions: string[] = [];
  let pattern = '';
  for (let at = 0; at < source.length;) {
    if (source[at] === '(') {
      const end = endOfExpression(source, at);
      pattern += `(${expressions.length})`;
      expressions.push(source.slice(at + 1, end));
      at = end + 1;
    } else {
      const length = source[at] === '\\' ? 2 : 1;
      pattern += source.slice(at, at + length);
      at += length;
    }
  }
  return { pattern, expressions };
}

/** Returns the end of the parenthesized expression at `start`. Nested groups must be non-capturing. */
function endOfExpression(source: string, start: number): number {
  let depth = 0;
  for (let at = start; at < source.length; at++) {
    const character = source[at];
    if (character === '\\') at++;
    else if (character === ')' && --depth === 0) {
      if (at === start + 1)
        throw valueError(`URL pattern ${JSON.stringify(source)}: a regular expression in parentheses is empty`);
      return at;
    } else if (character === '(' && ++depth > 1 && !/^\?(?:[imsU-]*:)/.test(source.slice(at + 1, at + 8))) {
      throw valueError(
        `URL pattern ${JSON.stringify(source)}: a regular expression in parentheses cannot contain capture groups; use (?:…) instead`,
      );
    } else if (depth === 1 && at === start && source[at + 1] === '?') {
      throw valueError(
        `URL pattern ${JSON.stringify(source)}: a regular expression in parentheses cannot begin with "?"`,
      );
    }
  }
  throw valueError(`URL pattern ${JSON.stringify(source)}: a regular expression has no closing parenthesis`);
}
