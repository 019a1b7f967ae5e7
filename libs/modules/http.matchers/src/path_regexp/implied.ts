/** Finds a path pattern that always matches when a path regular expression does. */
import { isObject, own, type Json, type JsonObject } from '@sluice/base';

/** Extracts the literal prefix of a pattern: `^/api/v[12]/` implies `/api/v*`. */
export function impliedByPattern(options: unknown): JsonObject | null {
  const pattern = isObject(options as Json) ? own(options as JsonObject, 'pattern') : undefined;
  if (typeof pattern !== 'string' || pattern.includes('|')) return null;
  const [, text = ''] = /^\^((?:[\w/-]|\\[./-])+)/.exec(pattern) ?? [];
  // A quantifier after the prefix applies to its last character.
  const rest = pattern.slice(text.length + 1);
  const literal = (/^[*?{+]/.test(rest) ? text.replace(/\\?.$/, '') : text).replaceAll('\\', '');
  return literal.startsWith('/') && literal.length > 1 && !literal.includes('//') ? { path: [`${literal}*`] } : null;
}
