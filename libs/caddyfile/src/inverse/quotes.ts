/** Quoting of words, for inverses. */
import type { Json } from '@sluice/base';
import { scalarValue } from '../scalars.ts';

/** Words that need no quotes, including braces around a placeholder. */
const plain = /^(?!#|<<)(?:[^\s"`\\{}]|\{[^\s"`\\{}]+\})+$/;

/** Returns a word, quoted if needed. */
export function quoteWord(word: string): string {
  return plain.test(word) ? word : inQuotes(word);
}

/** Returns a value as a word, quoted so that {@link scalarValue} returns the same value: `1` is a number, `"1"` a string. */
export function scalarWord(value: Json): string {
  if (typeof value !== 'string') return quoteWord(String(value));
  const isBareString = scalarValue({ text: value, quote: '' }) === value;
  return isBareString ? quoteWord(value) : inQuotes(value);
}

function inQuotes(word: string): string {
  if (!word.includes('"') && !word.includes('\\') && !word.includes('\n')) return `"${word}"`;
  if (!word.includes('`')) return `\`${word}\``;
  return `"${word.replaceAll('"', String.raw`\"`)}"`;
}
