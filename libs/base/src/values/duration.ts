/**
 * Duration options: integer nanoseconds, or a string in Go's notation, such as `1h30m`.
 *
 * A string is an optional sign, followed by decimal numbers with units: `ns`, `us` (`µs`, `μs`), `ms`, `s`, `m`, `h`, and `d` (24 hours).
 * `0` does not need a unit. The range is that of a 64-bit nanosecond count, about ±292 years.
 */
import { quoted, valueError } from './value-error.ts';

/** Value of a duration option: integer nanoseconds, or a string such as `1h30m`. */
export type DurationValue = number | string;

/** Maximum delay of Node's timers: 24.8 days, in milliseconds. Timers with a longer delay fire immediately. */
export const maxTimer: number = 2 ** 31 - 1;

const unitLengths: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n], // U+00B5, the micro sign
  ['μs', 1_000n], // U+03BC, the Greek letter
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
  ['d', 86_400_000_000_000n],
]);

const maxNanoseconds = 2n ** 63n - 1n;
const minNanoseconds = -(2n ** 63n);

/** Maximum length of a duration string, in characters. Digits beyond this length would not change the value. */
const maxTextLength = 150;

/**
 * Parses a duration into milliseconds, for timers. The fraction preserves nanoseconds. Below 26 days, `Math.round(milliseconds * 1e6)` is
 * exact. For longer durations, use {@link parseNanoseconds}. Throws `ERR_VALUE` if the duration is invalid.
 */
export function parseDuration(value: DurationValue): number {
  return nanosecondsToMilliseconds(parseNanoseconds(value));
}

/** Parses a duration into an exact number of nanoseconds. Throws `ERR_VALUE` if the duration is invalid. */
export function parseNanoseconds(value: DurationValue): bigint {
  return typeof value === 'number' ? fromNumber(value) : fromText(value);
}

function nanosecondsToMilliseconds(nanoseconds: bigint): number {
  return Number(nanoseconds) / 1e6;
}

function millisecondsToNanoseconds(milliseconds: number): bigint {
  return BigInt(Math.round(milliseconds * 1e6));
}

function fromNumber(value: number): bigint {
  if (!Number.isInteger(value)) {
    throw valueError(
      `duration ${value}: a number must be whole nanoseconds; use a string such as "1.5s" for fractions`,
    );
  }
  return inRange(BigInt(value), value);
}

function fromText(text: string): bigint {
  const signed = text.startsWith('-') || text.startsWith('+');
  const digits = signed ? text.slice(1) : text;
  if (digits === '0') return 0n;
  if (digits === '') throw valueError(`duration ${quoted(text)} is empty; use a value such as "30s"`);
  if (text.length > maxTextLength) throw valueError(`duration ${quoted(text)} is too long`);
  const part = /(\d*)(?:\.(\d*))?([^\d.]*)/y;
  let total = 0n;
  while (part.lastIndex < digits.length) {
    const [number, whole = '', fraction = '', unit = ''] = part.exec(digits) as RegExpExecArray;
    if (whole === '' && fraction === '') {
      throw valueError(`duration ${quoted(text)}: expected a number before ${quoted(number)}`);
    }
    total += amount(whole, fraction, unitLength(unit, text));
  }
  return inRange(text.startsWith('-') ? -total : total, text);
}

function unitLength(unit: string, text: string): bigint {
  const length = unitLengths.get(unit);
  if (length !== undefined) return length;
  const problem = unit === '' ? 'a unit is missing' : `unknown unit ${quoted(unit)}`;
  throw valueError(`duration ${quoted(text)}: ${problem}; use ns, us, ms, s, m, h or d`);
}

/** Rounds the fraction in floating-point arithmetic, as Go does. For example, `0.3333333333333333333h` is twenty minutes. */
function amount(whole: string, fraction: string, unit: bigint): bigint {
  const total = whole === '' ? 0n : BigInt(whole) * unit;
  if (fraction === '') return total;
  const digits = fraction.slice(0, 19);
  return total + BigInt(Math.trunc(Number(digits) * (Number(unit) / 10 ** digits.length)));
}

function inRange(nanoseconds: bigint, value: DurationValue): bigint {
  if (nanoseconds <= maxNanoseconds && nanoseconds >= minNanoseconds) return nanoseconds;
  throw valueError(`duration ${quoted(value)} is out of range; the maximum is about 292 years`);
}

/** Formats a duration in milliseconds in Go's notation, such as `1h30m0s`, `1.5s`, `300ms`, `2µs`, or `0s`. */
export function formatDuration(milliseconds: number): string {
  return formatNanoseconds(millisecondsToNanoseconds(milliseconds));
}

/** Formats a duration in nanoseconds in Go's notation. Parsing the result yields the same number of nanoseconds. */
export function formatNanoseconds(nanoseconds: bigint): string {
  if (nanoseconds < 0n) return `-${formatNanoseconds(-nanoseconds)}`;
  if (nanoseconds === 0n) return '0s';
  if (nanoseconds < 1_000n) return `${nanoseconds}ns`;
  if (nanoseconds < 1_000_000n) return `${decimal(nanoseconds, 3)}µs`;
  if (nanoseconds < 1_000_000_000n) return `${decimal(nanoseconds, 6)}ms`;
  const seconds = `${decimal(nanoseconds % 60_000_000_000n, 9)}s`;
  const minutes = nanoseconds / 60_000_000_000n;
  if (minutes === 0n) return seconds;
  return minutes < 60n ? `${minutes}m${seconds}` : `${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

/** Formats `count` with a decimal point `places` digits from the right. Omits trailing zeros. */
function decimal(count: bigint, places: number): string {
  const digits = count.toString().padStart(places + 1, '0');
  const fraction = digits.slice(-places).replace(/0+$/, '');
  const whole = digits.slice(0, -places);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
