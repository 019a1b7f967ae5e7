/** Formats floats like Go's `strconv.FormatFloat`. */
import { fixedDigits, shortestDigits, significantDigits, type Digits } from './decimal-digits.ts';

/** Float formats: exponent (`e`, `E`), fixed (`f`), shorter of both (`g`, `G`), hexadecimal (`x`, `X`), binary exponent (`b`). */
export type FloatFormat = 'e' | 'E' | 'f' | 'g' | 'G' | 'x' | 'X' | 'b';

/**
 * Formats a float. `precision` is the number of digits after the decimal point (`e`, `f`, `x`) or of significant digits (`g`). -1 selects
 * the fewest digits that identify the value. Set `single` for `float32`.
 */
export function formatFloat(value: number, format: FloatFormat, precision: number, single = false): string {
  if (Number.isNaN(value)) return 'NaN';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const size = Math.abs(value);
  if (size === Infinity) return sign === '' ? '+Inf' : '-Inf';
  return sign + formatSize(size, format, precision, single);
}

function formatSize(size: number, format: FloatFormat, precision: number, single: boolean): string {
  switch (format) {
    case 'e':
    case 'E':
      return writeExponent(
        precision < 0 ? shortestDigits(size, single) : significantDigits(size, precision + 1),
        precision,
        format,
      );
    case 'f':
      if (precision >= 0 && hasNoTie(size, precision)) return size.toFixed(precision);
      return writeFixed(precision < 0 ? shortestDigits(size, single) : fixedDigits(size, precision), precision);
    case 'g':
    case 'G':
      return writeGeneral(size, precision, format === 'g' ? 'e' : 'E', single);
    case 'x':
      return writeHex(size, precision);
    case 'X':
      return writeHex(size, precision).toUpperCase();
    case 'b':
      return writeBinary(size);
  }
}

/**
 * Reports whether JavaScript rounds a number in the same way as Go. There are two exceptions: numbers outside JavaScript's fixed notation,
 * and multiples of 2^-(precision + 1). Such multiples can be halfway between two results.
 */
function hasNoTie(size: number, precision: number): boolean {
  if (precision > 15 || size >= 1e15) return false;
  return Number.isInteger(size) || !Number.isInteger(size * 2 ** (precision + 1));
}

function writeExponent({ digits, point }: Digits, precision: number, letter: string): string {
  const places = precision < 0 ? Math.max(digits.length - 1, 0) : precision;
  const padded = digits.padEnd(places + 1, '0');
  const exponent = digits === '' ? 0 : point - 1;
  const fraction = places > 0 ? `.${padded.slice(1, places + 1)}` : '';
  return `${padded.charAt(0)}${fraction}${letter}${writeExponentValue(exponent)}`;
}

function writeExponentValue(exponent: number): string {
  return `${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function writeFixed({ digits, point }: Digits, precision: number): string {
  const places = precision < 0 ? Math.max(digits.length - point, 0) : precision;
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0';
  if (places === 0) return whole;
  const fraction = point >= 0 ? digits.slice(point) : '0'.repeat(-point) + digits;
  return `${whole}.${fraction.slice(0, places).padEnd(places, '0')}`;
}

/** Formats the `g` verb. Uses fixed notation for exponents from -4 up to the precision, or up to 6 for the shortest representation. */
function writeGeneral(size: number, precision: number, letter: string, single: boolean): string {
  const wanted = precision === 0 ? 1 : precision;
  const digits = precision < 0 ? shortestDigits(size, single) : trimmed(significantDigits(size, wanted));
  const exponent = digits.point - 1;
  const limit = precision < 0 ? 6 : generalLimit(digits, wanted);
  if (exponent < -4 || exponent >= limit) return writeExponent(digits, digits.digits.length - 1, letter);
  return writeFixed(digits, Math.max(digits.digits.length - digits.point, 0));
}

function generalLimit({ digits, point }: Digits, precision: number): number {
  return precision > digits.length && digits.length >= point ? digits.length : precision;
}

function trimmed({ digits, point }: Digits): Digits {
  return { digits: digits.replace(/0+$/, ''), point };
}

/** Formats the `x` verb, such as `0x1.8p+01`. The mantissa is normalized to 1.…, and the precision is the number of hexadecimal digits. */
function writeHex(size: number, precision: number): string {
  if (size === 0) return `0x0${precision > 0 ? `.${'0'.repeat(precision)}` : ''}p+00`;
  let exponent = Math.floor(Math.log2(size));
  while (size / 2 ** exponent >= 2) exponent++;
  while (size / 2 ** exponent < 1) exponent--;
  let mantissa = BigInt((size / 2 ** exponent) * 2 ** 52);
  let places = 13;
  if (precision >= 0 && precision < places) {
    const shift = BigInt(4 * (places - precision));
    const rest = mantissa & ((1n << shift) - 1n);
    const half = 1n << (shift - 1n);
    mantissa >>= shift;
    if (rest > half || (rest === half && (mantissa & 1n) === 1n)) mantissa++;
    places = precision;
    if (mantissa >> BigInt(4 * places) === 2n) {
      mantissa >>= 1n;
      exponent++;
    }
  }
  const digits = mantissa.toString(16);
  const fraction = digits.slice(1).padEnd(places, '0');
  const shown = precision < 0 ? fraction.replace(/0+$/, '') : fraction.padEnd(precision, '0');
  return `0x${digits.charAt(0)}${shown === '' ? '' : `.${shown}`}p${writeExponentValue(exponent)}`;
}

/** Formats the `b` verb, such as `4503599627370496p-52`: an integer mantissa and a binary exponent. */
function writeBinary(size: number): string {
  if (size === 0) return '0p-1074';
  let exponent = Math.max(Math.floor(Math.log2(size)), -1022);
  while (size / 2 ** exponent >= 2) exponent++;
  while (size / 2 ** exponent < 1 && exponent > -1022) exponent--;
  const mantissa = BigInt((size / 2 ** exponent) * 2 ** 52);
  const shift = exponent - 52;
  return `${mantissa}p${shift < 0 ? '-' : '+'}${Math.abs(shift)}`;
}
