/** Converts floats to decimal digits: either the shortest representation that identifies the value, or a fixed number of digits. */

/** Decimal digits of the value `0.d₁d₂d₃… × 10^point`. For zero, the digits are ''. */
export interface Digits {
  readonly digits: string;
  readonly point: number;
}

/** Returns the shortest digits that parse to the same number. */
export function shortestDigits(value: number, single: boolean): Digits {
  const [mantissa = '0', exponent = '0'] = (single ? shortestSingle(value) : value.toExponential()).split('e');
  const digits = mantissa.replace('.', '').replace(/0+$/, '');
  return digits === '' ? { digits, point: 0 } : { digits, point: Number(exponent) + 1 };
}

function shortestSingle(value: number): string {
  for (let digits = 0; digits < 9; digits++) {
    const text = value.toExponential(digits);
    if (Math.fround(Number(text)) === value) return text;
  }
  return value.toExponential();
}

/** Returns the digits up to `places` decimal places. Rounds the exact value half to even. */
export function fixedDigits(value: number, places: number): Digits {
  const exact = exactDigits(value);
  return roundDigits(exact, exact.point + places);
}

/** Returns `count` significant digits. Rounds the exact value half to even. */
export function significantDigits(value: number, count: number): Digits {
  return roundDigits(exactDigits(value), count);
}

const bits = new DataView(new ArrayBuffer(8));

/**
 * Returns all digits of a finite, non-negative float. For a negative exponent, m × 2^e has the digits of m × 5^-e, with the decimal point
 * moved.
 */
function exactDigits(value: number): Digits {
  if (value === 0) return { digits: '', point: 0 };
  bits.setFloat64(0, value);
  const raw = bits.getBigUint64(0);
  const field = Number((raw >> 52n) & 0x7ffn);
  const fraction = raw & 0xf_ffff_ffff_ffffn;
  const mantissa = field === 0 ? fraction : fraction | 0x10_0000_0000_0000n;
  const exponent = Math.max(field, 1) - 1075;
  if (exponent >= 0) {
    const digits = (mantissa << BigInt(exponent)).toString();
    return { digits, point: digits.length };
  }
  const digits = (mantissa * 5n ** BigInt(-exponent)).toString();
  return { digits, point: digits.length + exponent };
}

/** Rounds to the first `count` digits. */
function roundDigits({ digits, point }: Digits, count: number): Digits {
  if (count >= digits.length) return { digits, point };
  if (count < 0) return { digits: '', point: 0 };
  const rest = digits.slice(count);
  const last = count === 0 ? 0 : Number(digits[count - 1]);
  const half = rest.startsWith('5') && /^50*$/.test(rest);
  const up = half ? last % 2 === 1 : rest.charAt(0) >= '5';
  const kept = digits.slice(0, count);
  if (!up) return kept === '' ? { digits: '', point: 0 } : { digits: kept, point };
  const raised = (BigInt(`0${kept}`) + 1n).toString().padStart(kept.length, '0');
  return { digits: raised, point: point + raised.length - kept.length };
}
