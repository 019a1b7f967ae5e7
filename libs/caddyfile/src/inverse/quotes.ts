/** Quotes of words, for inverses. */
import type { Json } from '@sluice/base';
import { scalarValue } from '../scalars.ts';

/** Braces are plain around a placeholder. */
const plain = /^(?!#|<<)(?:[^\s"`\\{}]|\{[^\s"`\\{}]+\})+$/;

/** Returns a word in the quotes that it needs, if any. */
export function quoteWord(word: string): string {
  return plain.test(word) ? word : inQuotes(word);
}

/** Returns a value as the word, with its quotes, that {@link scalarValue} reads as this value: `1` is a number, `"1"` a string. */
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
