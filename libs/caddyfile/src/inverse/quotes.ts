/** Quotes words for the functions that write Caddyfiles. */
import type { Json } from '@sluice/base';
import { scalarValue } from '../scalars.ts';

/** Matches words that need no quotes. Such a word may contain braces around a placeholder. */
const plain = /^(?!#|<<)(?:[^\s"`\\{}]|\{[^\s"`\\{}]+\})+$/;

/** Returns a word, quoted if necessary. */
export function quoteWord(word: string): string {
  return plain.test(word) ? word : inQuotes(word);
}

/** Returns a value as a word. The quotes ensure that {@link scalarValue} returns the same value: `1` is a number, and `"1"` is a string. */
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
