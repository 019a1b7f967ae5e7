/** Sets of code points, for character classes in regular expressions. */
import { numberAt } from '../collections/bounded.ts';

/** A set of code points: sorted, disjoint, non-adjacent ranges. The array contains the first and last code point of each range. */
export type CharacterSet = readonly number[];

const lastCodePoint = 0x10ffff;

export const anyCharacter: CharacterSet = [0, lastCodePoint];

/** Creates a set from pairs of bounds. The pairs may be unsorted and overlapping. */
export function setOf(bounds: readonly number[]): CharacterSet {
  const ranges: [number, number][] = [];
  for (let i = 0; i < bounds.length; i += 2) ranges.push([numberAt(bounds, i), numberAt(bounds, i + 1)]);
  ranges.sort(([a], [b]) => a - b);
  const set: number[] = [];
  for (const [first, last] of ranges) {
    const end = set.length - 1;
    if (set.length > 0 && first <= numberAt(set, end) + 1) set[end] = Math.max(numberAt(set, end), last);
    else set.push(first, last);
  }
  return set;
}

export function complement(set: CharacterSet): CharacterSet {
  const result: number[] = [];
  let next = 0;
  for (let i = 0; i < set.length; i += 2) {
    if (numberAt(set, i) > next) result.push(next, numberAt(set, i) - 1);
    next = numberAt(set, i + 1) + 1;
  }
  if (next <= lastCodePoint) result.push(next, lastCodePoint);
  return result;
}

/** Reports whether all characters in the set are at most `limit`. */
export function isBelow(set: CharacterSet, limit: number): boolean {
  return set.length === 0 || (set.at(-1) as number) <= limit;
}

/**
 * Adds the other case of each ASCII letter to a set.
 *
 * Unicode's simple case folding also equates U+017F (long s) with `s`, and U+212A (Kelvin sign) with `k`.
 */
export function foldAscii(set: CharacterSet): CharacterSet {
  const bounds = [...set];
  for (let i = 0; i < set.length; i += 2) {
    for (let code = numberAt(set, i); code <= numberAt(set, i + 1); code++) {
      const lower = code | 0x20;
      if (lower < 0x61 || lower > 0x7a || code < 0x41) continue;
      bounds.push(code ^ 0x20, code ^ 0x20);
      if (lower === 0x73) bounds.push(0x17f, 0x17f);
      if (lower === 0x6b) bounds.push(0x212a, 0x212a);
    }
  }
  return setOf(bounds);
}

/** Parses text that contains single characters and ranges such as `a-z`, for the tables below. */
function ranges(text: string): CharacterSet {
  const bounds: number[] = [];
  for (const [, first = '', last = first] of text.matchAll(/([^])(?:-([^]))?/g))
    bounds.push(first.charCodeAt(0), last.charCodeAt(0));
  return setOf(bounds);
}

/** Character classes `\d`, `\s`, and `\w`. In RE2, these classes contain only ASCII characters, and `\s` excludes the vertical tab. */
export const perlClasses: ReadonlyMap<string, CharacterSet> = new Map([
  ['d', ranges('0-9')],
  ['s', ranges('\t\n\f\r ')],
  ['w', ranges('0-9A-Za-z_')],
]);

/** POSIX character classes of the form `[[:name:]]`. */
export const posixClasses: ReadonlyMap<string, CharacterSet> = new Map([
  ['alnum', ranges('0-9A-Za-z')],
  ['alpha', ranges('A-Za-z')],
  ['ascii', ranges('\0-\x7f')],
  ['blank', ranges('\t ')],
  ['cntrl', ranges('\0-\x1f\x7f')],
  ['digit', ranges('0-9')],
  ['graph', ranges('!-~')],
  ['lower', ranges('a-z')],
  ['print', ranges(' -~')],
  ['punct', ranges('!-/:-@[-`{-~')],
  ['space', ranges('\t-\r ')],
  ['upper', ranges('A-Z')],
  ['word', ranges('0-9A-Za-z_')],
  ['xdigit', ranges('0-9A-Fa-f')],
]);
