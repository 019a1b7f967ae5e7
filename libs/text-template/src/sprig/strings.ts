/** Template functions for cutting, searching, quoting and case conversion of strings. */
import { quote } from '../fmt/quote.ts';
import { sprint } from '../fmt/sprint.ts';
import { declare, declareRest, type TemplateFunction } from '../functions/declare.ts';
import { any, integer, text } from '../functions/parameters.ts';
import { isList, typedList, typedMap } from '../values/kind.ts';
import { byteLength, compareText, sliceBytes } from '../values/text.ts';
import { abbreviate, abbreviateBoth, wrap } from './abbreviate.ts';
import { checkCharacters } from '../limits/size.ts';
import { initials, isSpace, lower, swapCase, title, untitle, upper } from './case.ts';
import { strslice, strval } from './convert.ts';
import { camelCase, joinWords } from './words.ts';

/** Returns the first `count` bytes of a string. If `count` is negative, returns the last bytes. */
function truncate(count: number, value: string): string {
  const length = byteLength(value);
  if (count < 0) return length + count > 0 ? sliceBytes(value, length + count, length) : value;
  return length > count ? sliceBytes(value, 0, count) : value;
}

function substring(start: number, end: number, value: string): string {
  const length = byteLength(value);
  if (start < 0) return sliceWithin(value, 0, end, length);
  return sliceWithin(value, start, end < 0 || end > length ? length : end, length);
}

function sliceWithin(value: string, start: number, end: number, length: number): string {
  if (end < 0 || end > length)
    throw new Error(`runtime error: slice bounds out of range [:${end}] with length ${length}`);
  if (start > end) throw new Error(`runtime error: slice bounds out of range [${start}:${end}]`);
  return sliceBytes(value, start, end);
}

function repeat(count: number, value: string): string {
  if (count < 0) throw new Error('strings: negative Repeat count');
  checkCharacters(count * value.length);
  return value.repeat(count);
}

/** Removes the characters in `set` from both ends of a string. */
function trimSet(set: string, value: string): string {
  const characters = new Set(set);
  const letters = [...value];
  let start = 0;
  let end = letters.length;
  while (start < end && characters.has(letters[start] ?? '')) start++;
  while (end > start && characters.has(letters[end - 1] ?? '')) end--;
  return letters.slice(start, end).join('');
}

function trimSpace(value: string): string {
  let start = 0;
  let end = value.length;
  while (start < end && isSpace(value.charAt(start))) start++;
  while (end > start && isSpace(value.charAt(end - 1))) end--;
  return value.slice(start, end);
}

function indent(count: number, value: string): string {
  if (count < 0) throw new Error('strings: negative Repeat count');
  checkCharacters(value.length + count * value.split('\n').length);
  const pad = ' '.repeat(count);
  return pad + value.replaceAll('\n', `\n${pad}`);
}

/** Splits a string at a separator. An empty separator splits the string into characters. */
function pieces(separator: string, value: string): string[] {
  return separator === '' ? [...value] : value.split(separator);
}

/** Splits a string into at most `count` parts. The last part contains the remainder. A negative count means unlimited. */
function piecesUpTo(separator: string, count: number, value: string): string[] {
  if (count === 0) return [];
  const all = pieces(separator, value);
  if (count < 0 || all.length <= count) return all;
  return [...all.slice(0, count - 1), all.slice(count - 1).join(separator)];
}

function numbered(list: readonly string[]): Map<string, string> {
  return typedMap(new Map(list.map((item, index) => [`_${index}`, item])), 'string');
}

function sortAlpha(value: unknown): string[] {
  const texts = isList(value) ? strslice(value) : [strval(value)];
  return typedList(texts.sort(compareText), 'string');
}

function cat(values: readonly unknown[]): string {
  return values
    .filter((value) => value !== null)
    .map((value) => sprint([value]))
    .join(' ');
}

function replaceAll(old: string, fresh: string, value: string): string {
  const count = old === '' ? value.length + 1 : value.split(old).length - 1;
  checkCharacters(value.length + count * Math.max(fresh.length - old.length, 0));
  return old === ''
    ? fresh + [...value].map((character) => character + fresh).join('')
    : value.replaceAll(old, () => fresh);
}

const nindent = (count: number, value: string): string => `\n${indent(count, value)}`;
const trimall = declare([text, text], trimSet);

export const strings: Readonly<Record<string, TemplateFunction>> = {
  abbrev: declare([integer, text], abbreviate),
  abbrevboth: declare([integer, integer, text], abbreviateBoth),
  camelcase: declare([text], camelCase),
  cat: declareRest([], any, (...values) => cat(values)),
  contains: declare([text, text], (part, value) => value.includes(part)),
  hasPrefix: declare([text, text], (part, value) => value.startsWith(part)),
  hasSuffix: declare([text, text], (part, value) => value.endsWith(part)),
  hello: declare([], () => 'Hello!'),
  indent: declare([integer, text], indent),
  initials: declare([text], initials),
  join: declare([text, any], (separator, value) => strslice(value).join(separator)),
  kebabcase: declare([text], (value) => joinWords(value, '-')),
  lower: declare([text], lower),
  nindent: declare([integer, text], nindent),
  nospace: declare([text], (value) => [...value].filter((letter) => !isSpace(letter)).join('')),
  plural: declare([text, text, integer], (one, many, count) => (count === 1 ? one : many)),
  quote: declareRest([], any, (...values) => quoteEach(values, (value) => quote(value))),
  repeat: declare([integer, text], repeat),
  replace: declare([text, text, text], replaceAll),
  snakecase: declare([text], (value) => joinWords(value, '_')),
  sortAlpha: declare([any], sortAlpha),
  split: declare([text, text], (separator, value) => numbered(pieces(separator, value))),
  splitList: declare([text, text], (separator, value) => typedList(pieces(separator, value), 'string')),
  splitn: declare([text, integer, text], (separator, count, value) => numbered(piecesUpTo(separator, count, value))),
  squote: declareRest([], any, (...values) => quoteEach(values, (value) => `'${value}'`)),
  substr: declare([integer, integer, text], substring),
  swapcase: declare([text], swapCase),
  title: declare([text], title),
  trim: declare([text], trimSpace),
  trimAll: trimall,
  trimall,
  trimPrefix: declare([text, text], (part, value) => (value.startsWith(part) ? value.slice(part.length) : value)),
  trimSuffix: declare([text, text], (part, value) =>
    part !== '' && value.endsWith(part) ? value.slice(0, -part.length) : value,
  ),
  trunc: declare([integer, text], truncate),
  untitle: declare([text], untitle),
  upper: declare([text], upper),
  wrap: declare([integer, text], (width, value) => wrap(width, '\n', false, value)),
  wrapWith: declare([integer, text, text], (width, separator, value) => wrap(width, separator, true, value)),
};

function quoteEach(values: readonly unknown[], quoted: (value: string) => string): string {
  return values
    .filter((value) => value !== null)
    .map((value) => quoted(strval(value)))
    .join(' ');
}
