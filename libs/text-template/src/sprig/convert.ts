/** Type conversions that many functions use, and the template functions `int`, `float64`, `toString` and `atoi`. */
import { printValue } from '../fmt/printer.ts';
import { declare, type TemplateFunction } from '../functions/declare.ts';
import { any, text } from '../functions/parameters.ts';
import { parseFloatLiteral, parseInteger } from '../parse/number.ts';
import { isList, typedList } from '../values/kind.ts';
import { float64, int, int64, isFloatKind, narrow, numberKind, rawNumber, type Integer } from '../values/number.ts';
import { decodeText } from '../values/text.ts';

const min64 = -0x8000_0000_0000_0000n;
const max64 = 0x7fff_ffff_ffff_ffffn;

/** Converts any value to a string. Bytes are decoded as text. */
export function strval(value: unknown): string {
  if (typeof value === 'string') return value;
  return value instanceof Uint8Array ? decodeText(value) : printValue(value);
}

/** Converts a list to a list of strings and omits nils. Nil becomes an empty list. Any other value becomes a list with one string. */
export function strslice(value: unknown): string[] {
  if (value === null || value === undefined) return [];
  if (!isList(value)) return [strval(value)];
  return Array.from<unknown>(value)
    .filter((item) => item !== null && item !== undefined)
    .map(strval);
}

/**
 * Converts any value to a 64-bit integer. Truncates fractions and parses strings in any Go integer notation. Values that cannot be
 * converted become 0.
 */
export function toInteger(value: unknown): Integer {
  if (typeof value === 'string') return integerFromText(value);
  if (typeof value === 'boolean') return value ? 1 : 0;
  const kind = numberKind(value);
  if (kind === null) return 0;
  return isFloatKind(kind) ? integerFromFloat(Number(rawNumber(value))) : rawNumber(value);
}

function integerFromText(value: string): Integer {
  const whole = /^([+-]?\d*)\.\d*$/.exec(value)?.[1] ?? value;
  const big = parseInteger(whole);
  return big === null || big < min64 || big > max64 ? 0 : narrow(big);
}

/** Converts a float to an integer. Out-of-range values become the smallest integer, as on the platforms that Caddy runs on. */
function integerFromFloat(value: number): Integer {
  if (!(Math.abs(value) < 2 ** 63)) return min64;
  return narrow(BigInt(Math.trunc(value)));
}

/** Converts any value to a float. Returns 0 if the conversion is impossible. */
export function toFloat(value: unknown): number {
  if (typeof value === 'string') return floatFromText(value) ?? 0;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return numberKind(value) === null ? 0 : Number(rawNumber(value));
}

/** Parses a float like Go's `strconv.ParseFloat`. Returns null if the text is invalid. */
function floatFromText(value: string): number | null {
  const word = /^([+-]?)(inf|infinity|nan)$/i.exec(value);
  if (word !== null) {
    if (word[2]?.toLowerCase() === 'nan') return word[1] === '' ? NaN : null;
    return word[1] === '-' ? -Infinity : Infinity;
  }
  return parseFloatLiteral(value);
}

/** Parses a decimal integer. Clamps out-of-range values, and returns 0 for invalid text. */
function atoi(value: string): Integer {
  if (!/^[+-]?\d+$/.test(value)) return 0;
  const big = BigInt(value.replace(/^\+/, ''));
  return int(big > max64 ? max64 : big < min64 ? min64 : big);
}

/** Parses octal digits. */
function toDecimal(value: unknown): unknown {
  const digits = printValue(value);
  if (!/^[+-]?[0-7]+$/.test(digits)) return int64(0);
  const size = BigInt(`0o${digits.replace(/^[+-]/, '')}`);
  const big = digits.startsWith('-') ? -size : size;
  return int64(big > max64 || big < min64 ? 0n : big);
}

export const conversions: Readonly<Record<string, TemplateFunction>> = {
  atoi: declare([text], atoi),
  int: declare([any], (value) => int(toInteger(value))),
  int64: declare([any], (value) => int64(toInteger(value))),
  float64: declare([any], (value) => float64(toFloat(value))),
  toDecimal: declare([any], toDecimal),
  toString: declare([any], strval),
  toStrings: declare([any], (value) => typedList(strslice(value), 'string')),
};
