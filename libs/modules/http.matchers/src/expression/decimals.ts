/** Formats doubles as decimal numbers. As in Go and C, the exact value is rounded half to even. */

const precisionBits = 52n;
const view = new DataView(new ArrayBuffer(8));

/** Splits a positive double into `mantissa * 2 ** exponent`. */
function partsOf(value: number): { readonly mantissa: bigint; readonly exponent: bigint } {
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const stored = (bits >> precisionBits) & 0x7ffn;
  const fraction = bits & ((1n << precisionBits) - 1n);
  // Subnormal numbers have no implicit leading bit and use the minimum exponent.
  return stored === 0n
    ? { mantissa: fraction, exponent: -1074n }
    : { mantissa: fraction | (1n << precisionBits), exponent: stored - 1075n };
}

/** Returns `value * 10 ** digits`, rounded half to even to an integer. */
function scaled(value: number, digits: number): bigint {
  const { mantissa, exponent } = partsOf(value);
  let [above, below] = [mantissa, 1n];
  if (exponent >= 0n) above <<= exponent;
  else below <<= -exponent;
  if (digits >= 0) above *= 10n ** BigInt(digits);
  else below *= 10n ** BigInt(-digits);
  const [whole, twice] = [above / below, (above % below) * 2n];
  return twice > below || (twice === below && whole % 2n === 1n) ? whole + 1n : whole;
}

function signOf(value: number): string {
  return value < 0 || Object.is(value, -0) ? '-' : '';
}

/** Formats a finite double with `precision` decimals. */
export function fixedDecimal(value: number, precision: number): string {
  const digits = scaled(Math.abs(value), precision)
    .toString()
    .padStart(precision + 1, '0');
  const whole = digits.slice(0, digits.length - precision);
  return `${signOf(value)}${whole}${precision === 0 ? '' : `.${digits.slice(-precision)}`}`;
}

/** Formats a finite double as `d.ddde±dd` with `precision` decimals. */
export function scientificDecimal(value: number, precision: number): string {
  const size = Math.abs(value);
  let exponent = size === 0 ? 0 : Number(size.toExponential().split('e')[1]);
  let digits = scaled(size, precision - exponent).toString();
  // Start with the exponent of the shortest representation, which may be too high by one. Rounding may also increase the exponent.
  while (digits.length !== precision + 1 && size !== 0) {
    exponent += digits.length > precision + 1 ? 1 : -1;
    digits = scaled(size, precision - exponent).toString();
  }
  digits = digits.padEnd(precision + 1, '0');
  const shown = `${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
  return `${signOf(value)}${digits.slice(0, 1)}${precision === 0 ? '' : `.${digits.slice(1)}`}e${shown}`;
}

/** Returns the shortest decimal representation that parses to the same double, without an exponent. */
export function plainDecimal(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const [digits = '0', exponent = '0'] = Math.abs(value).toExponential().replace('.', '').split('e');
  const point = Number(exponent) + 1;
  const sign = signOf(value);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`.replace(/\.0+$/, '');
  if (point >= digits.length) return `${sign}${digits.padEnd(point, '0')}`;
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}
