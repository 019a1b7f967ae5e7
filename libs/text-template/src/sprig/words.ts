/** Splits identifiers into words, for conversion to snake case, kebab case and camel case. */
import { isSpace, isUpper, lower, lowerLetter, titleLetter } from './case.ts';

/**
 * Matches one of three forms of a word. A number includes the lowercase letters after it (`2xx`). Capitals extend up to the next word
 * (`HTTP`). Lowercase letters include the capital before them.
 *
 * Digits that are not followed by a lowercase letter belong to the preceding word (`v1Beta` → `v1`).
 */
const part =
  /([\s_-])|([\p{P}\p{Cs}]\p{P}*)|\d+\p{Ll}[\p{Ll}\d]*|(?:\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|[^\p{Lu}\p{Ll}\d\s\p{P}\p{Cs}]+)(?:\d+(?![\p{Ll}\d]))?|\d+/gu;

/** Joins words in lowercase with `connector`. The connector also replaces spaces, `_` and `-`. */
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

/** Joins words and capitalizes them. Keeps connectors at the start and end of the text. */
export function camelCase(text: string): string {
  const letters = [...text];
  const end = letters.findLastIndex((letter) => !isConnector(letter));
  let camel = '';
  let state: 'before' | 'first' | 'capitals' | 'inside' = 'before';
  for (const [index, letter] of letters.entries()) {
    if (isConnector(letter)) {
      // Drop the last connector in a run of connectors.
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
