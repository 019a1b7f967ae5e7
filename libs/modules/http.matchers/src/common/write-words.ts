/** Options that are a list of words, or have one. */
import { words, type WriteModule, type Written } from '@sluice/caddyfile';
import { isArray, isObject, type Json } from '@sluice/base';

/** `NAME WORD…` */
export const writeWords: WriteModule = (options) =>
  isArray(options) || typeof options === 'string' ? [{ words: words(options) }] : null;

/** `NAME RANGE…` */
export const writeRanges: WriteModule = (options) => (isObject(options) ? [{ words: words(options['ranges']) }] : null);

/** The words of a regular expression: its name, the key it is for, and the pattern. */
export function regexpWords(options: Json, key: readonly string[] = []): Written | null {
  if (!isObject(options)) return null;
  return { words: [...words(options['name']), ...key, ...words(options['pattern'])] };
}

/** `NAME [LABEL] KEY PATTERN`, a line for each key. */
export const writeKeyedRegexps: WriteModule = (options) => {
  if (!isObject(options)) return null;
  return Object.entries(options).flatMap(([key, each]) => regexpWords(each, [key]) ?? []);
};
