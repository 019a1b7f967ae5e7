/** Converts words to JSON values other than strings. */
import type { Json, JsonObject } from '@sluice/base';
import type { CaddyfileToken } from './token.ts';

/** Returns a field with a number or placeholder; see {@link weakValue}. Returns no field if the word is empty. Zero counts as a number. */
export function weakField(name: string, text: string): JsonObject {
  return text === '' ? {} : { [name]: weakValue(text) };
}

/** Converts a word to a number if possible. Otherwise, returns the word, which may be a placeholder. */
function weakValue(text: string): Json {
  if (/^[+-]?\d+$/.test(text)) return Number(text);
  return text;
}

const booleans: Readonly<Record<string, boolean>> = {
  t: true,
  T: true,
  true: true,
  True: true,
  TRUE: true,
  f: false,
  F: false,
  false: false,
  False: false,
  FALSE: false,
};

// As in Go, an underscore is allowed between digits, and between the base prefix and a digit.
const decimal = /^[+-]?(?:(?:\d+(?:_\d+)*)(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+(?:_\d+)*)?$/i;
const hexadecimal = /^([+-]?)0x((?:_?[\da-f])*)\.?([\da-f]*(?:_[\da-f]+)*)p([+-]?\d+(?:_\d+)*)$/i;

/**
 * Converts a word to a JSON value. As in Caddy, numbers and booleans may have any form that Go's `strconv` parses. Quoted words, and
 * numbers that JSON cannot represent, are always strings.
 */
export function scalarValue({ text, quote }: Pick<CaddyfileToken, 'text' | 'quote'>): Json {
  if (quote !== '') return text;
  const number = numberOf(text);
  if (number !== null) return number;
  return (Object.hasOwn(booleans, text) ? booleans[text] : undefined) ?? text;
}

function numberOf(text: string): number | null {
  const number = decimal.test(text) ? Number(text.replaceAll('_', '')) : hexadecimalNumber(text);
  return number !== null && Number.isFinite(number) ? number : null;
}

function hexadecimalNumber(text: string): number | null {
  const [, sign, whole = '', fraction = '', exponent = ''] = hexadecimal.exec(text) ?? [];
  if (whole === '' && fraction === '') return null;
  const digits = fraction.replaceAll('_', '');
  const mantissa = Number.parseInt(`${whole.replaceAll('_', '')}${digits}`, 16);
  return (sign === '-' ? -1 : 1) * mantissa * 2 ** (Number(exponent.replaceAll('_', '')) - 4 * digits.length);
}
