/** Splits identifiers into words, for snake, kebab and camel case. */
import { isSpace, isUpper, lower, lowerLetter, titleLetter } from './case.ts';

/**
 * Matches a word: a number with subsequent lowercase letters (`2xx`), capitals up to the next word (`HTTP`), or lowercase letters with the
 * preceding capital.
 *
 * Digits without a subsequent lowercase letter belong to the previous word (`v1Beta` → `v1`).
 */
const part =
  /([\s_-])|([\p{P}\p{Cs}]\p{P}*)|\d+\p{Ll}[\p{Ll}\d]*|(?:\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|[^\p{Lu}\p{Ll}\d\s\p{P}\p{Cs}]+)(?:\d+(?![\p{Ll}\d]))?|\d+/gu;

/** Joins words in lower case with `connector`, which also replaces spaces, `_` and `-`. */
export function joinWords(text: string, connector: string): string {
  let joined = '';
  let apart = false;
  for (const match of text.matchAll(part)) {
    if (match[1] !== undefined) {
      joined += connector;
      apart = false;
    } else if (match[2] !== undefined) {
      joined += match[2];
      apart = false;
    } else {
      joined += (apart ? connector : '') + lower(match[0]);
      apart = true;
    }
  }
  return joined;
}

function isConnector(letter: string): boolean {
  return letter === '_' || letter === '-' || isSpace(letter);
}

/** Joins capitalized words. Connectors at the ends of the text are kept. */
export function camelCase(text: string): string {
  const letters = [...text];
  const end = letters.findLastIndex((letter) => !isConnector(letter));
  let camel = '';
  let state: 'before' | 'first' | 'capitals' | 'inside' = 'before';
  for (const [index, letter] of letters.entries()) {
    if (isConnector(letter)) {
      // Drop the last of several consecutive connectors.
      const next = letters[index + 1];
      const dropped = state !== 'before' && index < end && next !== undefined && !isConnector(next);
      if (!dropped) camel += letter;
      if (dropped || state !== 'before') state = 'first';
      continue;
    }
    if (state === 'before' || state === 'first') {
      camel += titleLetter(letter);
      state = isUpper(letter) ? 'capitals' : 'inside';
    } else if (state === 'capitals' && isUpper(letter)) camel += lowerLetter(letter);
    else {
      camel += letter;
      state = 'inside';
    }
  }
  return camel;
}
