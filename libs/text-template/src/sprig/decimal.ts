/** Exact decimal arithmetic for the template's float functions. For example, `addf 0.1 0.2` is 0.3. */
import { formatFloat } from '../fmt/float.ts';

/** A decimal number with the value `coefficient × 10^-scale`. The scale is never negative. */
export interface Decimal {
  readonly coefficient: bigint;
  readonly scale: number;
}

/** Number of decimal places in the result of a division. */
const divisionScale = 16;

/** Returns the decimal number that has the same digits as a printed float. */
export function decimalOf(value: number): Decimal {
  if (!Number.isFinite(value)) throw new Error(`Cannot create a Decimal from ${formatFloat(value, 'g', -1)}`);
  const [mantissa = '0', exponent = '0'] = value.toExponential().split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const scale = fraction.length - Number(exponent);
  const coefficient = BigInt(whole + fraction);
  return scale >= 0 ? { coefficient, scale } : { coefficient: coefficient * 10n ** BigInt(-scale), scale: 0 };
}

/** Returns the float nearest to a decimal number. */
export function decimalToFloat({ coefficient, scale }: Decimal): number {
  return Number(`${coefficient}e-${scale}`);
}

function aligned(a: Decimal, b: Decimal, combine: (a: bigint, b: bigint) => bigint): Decimal {
  const scale = Math.max(a.scale, b.scale);
  const left = a.coefficient * 10n ** BigInt(scale - a.scale);
  const right = b.coefficient * 10n ** BigInt(scale - b.scale);
  return { coefficient: combine(left, right), scale };
}

export function addDecimals(a: Decimal, b: Decimal): Decimal {
  return aligned(a, b, (x, y) => x + y);
}

export function subtractDecimals(a: Decimal, b: Decimal): Decimal {
  return aligned(a, b, (x, y) => x - y);
}

export function multiplyDecimals(a: Decimal, b: Decimal): Decimal {
  return { coefficient: a.coefficient * b.coefficient, scale: a.scale + b.scale };
}

/** Divides a by b. The result has 16 decimal places and is rounded half away from zero. */
export function divideDecimals(a: Decimal, b: Decimal): Decimal {
  if (b.coefficient === 0n) throw new Error('decimal division by 0');
  const shift = divisionScale + b.scale - a.scale;
  const dividend = shift >= 0 ? a.coefficient * 10n ** BigInt(shift) : a.coefficient;
  const divisor = shift >= 0 ? b.coefficient : b.coefficient * 10n ** BigInt(-shift);
  const quotient = dividend / divisor;
  const rest = dividend % divisor;
  const size = rest < 0n ? -rest : rest;
  const half = size * 2n >= (divisor < 0n ? -divisor : divisor);
  const awayFromZero = dividend < 0n === divisor < 0n ? 1n : -1n;
  return { coefficient: half ? quotient + awayFromZero : quotient, scale: divisionScale };
}
