/** Finds the path pattern that a path regular expression implies. The pattern matches whenever the expression does. */
import { isObject, own, type Json, type JsonObject } from '@sluice/base';

/** Derives a path pattern from the literal prefix of a regular expression: `^/api/v[12]/` implies `/api/v*`. */
export function impliedByPattern(options: unknown): JsonObject | null {
  const pattern = isObject(options as Json) ? own(options as JsonObject, 'pattern') : undefined;
  if (typeof pattern !== 'string' || pattern.includes('|')) return null;
  const [, text = ''] = /^\^((?:[\w/-]|\\[./-])+)/.exec(pattern) ?? [];
  // A quantifier after the prefix applies to the prefix's last character.
  const rest = pattern.slice(text.length + 1);
  const literal = (/^[*?{+]/.test(rest) ? text.replace(/\\?.$/, '') : text).replaceAll('\\', '');
  return literal.startsWith('/') && literal.length > 1 && !literal.includes('//') ? { path: [`${literal}*`] } : null;
}
