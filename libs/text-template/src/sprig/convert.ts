/** Conversions that many functions share, and those that templates call: int, float64, toString, atoi. */
import { printValue } from '../fmt/printer.ts';
import { declare, type TemplateFunction } from '../functions/declare.ts';
import { any, text } from '../functions/parameters.ts';
import { parseFloatLiteral, parseInteger } from '../parse/number.ts';
import { isList, typedList } from '../values/kind.ts';
import { float64, int, int64, isFloatKind, narrow, numberKind, rawNumber, type Integer } from '../values/number.ts';
import { decodeText } from '../values/text.ts';

const min64 = -0x8000_0000_0000_0000n;
const max64 = 0x7fff_ffff_ffff_ffffn;

/** Any value as text; bytes are text already. */
export function strval(value: unknown): string {
  if (typeof value === 'string') return value;
  return value instanceof Uint8Array ? decodeText(value) : printValue(value);
}

/** A list as texts, without its nils; what is not a list is one text, nil none. */
export function strslice(value: unknown): string[] {
  if (value === null || value === undefined) return [];
  if (!isList(value)) return [strval(value)];
  return Array.from<unknown>(value)
    .filter((item) => item !== null && item !== undefined)
    .map(strval);
}

/** Any value as a 64-bit integer: fractions are cut off, texts read in any notation, all else is 0. */
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

/** What does not fit becomes the smallest integer, as on the machines that the reference runs on. */
function integerFromFloat(value: number): Integer {
  if (!(Math.abs(value) < 2 ** 63)) return min64;
  return narrow(BigInt(Math.trunc(value)));
}

/** Any value as a float; what is none is 0. */
export function toFloat(value: unknown): number {
  if (typeof value === 'string') return floatFromText(value) ?? 0;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return numberKind(value) === null ? 0 : Number(rawNumber(value));
}

/** Reads a float as `strconv.ParseFloat` does; null where the text is none. */
function floatFromText(value: string): number | null {
  const word = /^([+-]?)(inf|infinity|nan)$/i.exec(value);
  if (word !== null) {
    if (word[2]?.toLowerCase() === 'nan') return word[1] === '' ? NaN : null;
    return word[1] === '-' ? -Infinity : Infinity;
  }
  return parseFloatLiteral(value);
}

/** A decimal integer; out of range it is the nearest one, and 0 where the text is none. */
function atoi(value: string): Integer {
  if (!/^[+-]?\d+$/.test(value)) return 0;
  const big = BigInt(value.replace(/^\+/, ''));
  return int(big > max64 ? max64 : big < min64 ? min64 : big);
}

/** Octal digits as a number. */
function toDecimal(value: unknown): unknown {
  const digits = printValue(value);
  if (!/^[+-]?[0-7]+$/.test(digits)) return int64(0);
  const size = BigInt(`0o${digits.replace(/^[+-]/, '')}`);
  const big = digits.startsWith('-') ? -size : size;
  return int64(big > max64 || big < min64 ? 0n : big);
}

/** The functions by name. */
export const conversions: Readonly<Record<string, TemplateFunction>> = {
  atoi: declare([text], atoi),
  int: declare([any], (value) => int(toInteger(value))),
  int64: declare([any], (value) => int64(toInteger(value))),
  float64: declare([any], (value) => float64(toFloat(value))),
  toDecimal: declare([any], toDecimal),
  toString: declare([any], strval),
  toStrings: declare([any], (value) => typedList(strslice(value), 'string')),
};
