/** Parses number tokens. */
import { quote } from '../fmt/quote.ts';
import { narrow, type Integer } from '../values/number.ts';
import { unquoteCharacter } from './unquote.ts';

/** A number token's value in every type that its text allows; see `NumberNode`. A string is an error message. */
export type NumberReading =
  | { readonly integer: Integer | null; readonly float: number; readonly natural: 'int' | 'float64' | 'overflow' }
  | string;

const decimalFloat =
  /^[+-]?(?:[0-9]+(?:_[0-9]+)*(?:\.(?:[0-9]+(?:_[0-9]+)*)?)?|\.[0-9]+(?:_[0-9]+)*)(?:[eE][+-]?[0-9]+)?$/;
const hexFloat = /^([+-]?)0[xX]_?([0-9a-fA-F_]*)(?:\.([0-9a-fA-F_]*))?[pP]([+-]?[0-9]+)$/;
const integerForm =
  /^([+-]?)(0[xX]_?[0-9a-fA-F]+(?:_[0-9a-fA-F]+)*|0[oO]?_?[0-7]+(?:_[0-7]+)*|0[bB]_?[01]+(?:_[01]+)*|0|[1-9][0-9]*(?:_[0-9]+)*)$/;

/** Parses a character constant, including its quotes. */
export function readCharacter(token: string): NumberReading {
  const { code, malformed } = unquoteCharacter(token);
  if (malformed) return `malformed character constant: ${token}`;
  if (code === null) return 'invalid syntax';
  return { integer: code, float: code, natural: 'int' };
}

export function readNumber(token: string): NumberReading {
  if (token.endsWith('i') && !/^[+-]?0[xX]/.test(token)) return `complex numbers are not supported: ${token}`;
  const big = parseInteger(token);
  if (big !== null && big >= -0x8000000000000000n && big <= 0x7fffffffffffffffn) {
    return { integer: narrow(big), float: Number(big), natural: 'int' };
  }
  if (big !== null && big > 0n && big <= 0xffffffffffffffffn) {
    return { integer: null, float: Number(big), natural: 'overflow' };
  }
  const float = parseFloatLiteral(token);
  if (float === null || !Number.isFinite(float)) return `illegal number syntax: ${quote(token)}`;
  if (!/[.eEpP]/.test(token)) return `integer overflow: ${quote(token)}`;
  const integral = Number.isInteger(float) && Math.abs(float) < 2 ** 63;
  return { integer: integral ? narrow(BigInt(float)) : null, float, natural: 'float64' };
}

/** Parses an integer in any of Go's notations, including octal `010`. Returns null if the text is not an integer. */
export function parseInteger(text: string): bigint | null {
  const match = integerForm.exec(text);
  if (match === null) return null;
  const digits = (match[2] ?? '').replaceAll('_', '');
  const big = /^0[0-7]/.test(digits) ? BigInt(`0o${digits.slice(1)}`) : BigInt(digits);
  return match[1] === '-' ? -big : big;
}

/** Parses a float in decimal or hexadecimal notation. Returns null if the text is not a float. */
export function parseFloatLiteral(text: string): number | null {
  if (decimalFloat.test(text)) return Number(text.replaceAll('_', ''));
  const hex = hexFloat.exec(text);
  if (hex === null) return null;
  const whole = (hex[2] ?? '').replaceAll('_', '');
  const fraction = (hex[3] ?? '').replaceAll('_', '');
  if (whole + fraction === '') return null;
  const mantissa = Number(BigInt(`0x${whole}${fraction}`));
  const value = mantissa * 2 ** (Number(hex[4]) - 4 * fraction.length);
  return hex[1] === '-' ? -value : value;
}
