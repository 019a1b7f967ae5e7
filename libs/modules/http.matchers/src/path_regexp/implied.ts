/** The path patterns that surely match whenever a regular expression of the path does. */
import { isObject, own, type Json, type JsonObject } from '@sluice/base';

/** Takes the literal text that a pattern begins with: `^/api/v[12]/` implies `/api/v*`. */
export function impliedByPattern(options: unknown): JsonObject | null {
  const pattern = isObject(options as Json) ? own(options as JsonObject, 'pattern') : undefined;
  if (typeof pattern !== 'string' || pattern.includes('|')) return null;
  const [, text = ''] = /^\^((?:[\w/-]|\\[./-])+)/.exec(pattern) ?? [];
  // A quantifier after the text is about its last character.
  const rest = pattern.slice(text.length + 1);
  const literal = (/^[*?{+]/.test(rest) ? text.replace(/\\?.$/, '') : text).replaceAll('\\', '');
  return literal.startsWith('/') && literal.length > 1 && !literal.includes('//') ? { path: [`${literal}*`] } : null;
}
