/** The string method `format`, for example `"%s is %.2f".format(["pi", 3.14159])`. */
import { itemAt } from '@sluice/base';
import { isCelList, isCelMap, isCelType, isCelUint, type CelValue } from '@bufbuild/cel';
import { isReflectMessage } from '@bufbuild/protobuf/reflect';
import { isMessage } from '@bufbuild/protobuf';
import { DurationSchema, timestampDate, TimestampSchema, type Duration, type Timestamp } from '@bufbuild/protobuf/wkt';
import { fixedDecimal, plainDecimal, scientificDecimal } from './decimals.ts';

/** Matches literal text or a format clause. A clause consists of `%`, an optional precision, and a letter. */
const parts = /%(?:(?<percent>%)|(?:\.(?<precision>\d+))?(?<letter>[^]))|(?<text>[^%]+)|(?<rest>%)/g;
const letters = 'sdfexXbo';
const defaultPrecision = 6;
const maxPrecision = 1000;

export interface Clause {
  readonly letter: string;
  readonly precision: number;
}

export function parseFormat(format: string): (string | Clause)[] {
  return [...format.matchAll(parts)].map(({ groups = {} }) => {
    const { percent, precision, letter, text } = groups;
    if (percent !== undefined || text !== undefined) return percent ?? text ?? '';
    if (letter === undefined)
      throw new Error('format: incomplete formatting clause at the end of the string; write %% for a percent sign');
    if (!letters.includes(letter))
      throw new Error(`format: unknown clause %${letter}; use one of %s %d %f %e %x %X %b %o, or %%`);
    const digits = precision === undefined ? defaultPrecision : Number(precision);
    if (digits > maxPrecision) throw new Error(`format: precision ${digits} exceeds the maximum of ${maxPrecision}`);
    return { letter, precision: digits };
  });
}

/** Returns the format string with its clauses replaced by the values. */
export function formatText(format: string, values: readonly CelValue[]): string {
  const parsed = parseFormat(format);
  const wanted = parsed.filter((part) => typeof part !== 'string').length;
  if (wanted !== values.length)
    throw new Error(`format: the format string contains ${wanted} clauses but ${values.length} values are given`);
  let next = 0;
  return parsed.map((part) => (typeof part === 'string' ? part : formatValue(part, itemAt(values, next++)))).join('');
}

/** Formats a value for a format clause. Throws if the value has the wrong type. */
export function formatValue({ letter, precision }: Clause, value: CelValue): string {
  switch (letter) {
    case 's':
      return asString(value);
    case 'd':
      return typeof value === 'number' ? plainDecimal(value) : integerOf(value, letter).toString();
    case 'f':
      return real(value, letter, (number) => fixedDecimal(number, precision));
    case 'e':
      return real(value, letter, (number) => scientificDecimal(number, precision));
    case 'b':
      return typeof value === 'boolean' ? String(Number(value)) : integerOf(value, letter).toString(2);
    case 'o':
      return integerOf(value, letter).toString(8);
    default: {
      const digits = hexadecimal(value, letter);
      return letter === 'X' ? digits.toUpperCase() : digits;
    }
  }
}

/** Formats a number for a format clause. Converts integers to doubles. */
function real(value: CelValue, letter: string, finite: (number: number) => string): string {
  const number = typeof value === 'number' ? value : Number(integerOf(value, letter));
  return Number.isFinite(number) ? finite(number) : String(number);
}

function integerOf(value: CelValue, letter: string): bigint {
  if (typeof value === 'bigint') return value;
  if (isCelUint(value)) return value.value;
  throw new Error(`format: the clause %${letter} requires a number`);
}

function hexadecimal(value: CelValue, letter: string): string {
  if (typeof value === 'string') return Buffer.from(value).toString('hex');
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : integerOf(value, letter).toString(16);
}

function asString(value: CelValue): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return plainDecimal(value);
  if (typeof value === 'boolean' || typeof value === 'bigint' || value === null) return String(value);
  if (isCelType(value)) return value.name;
  if (isCelUint(value)) return value.value.toString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (isCelList(value)) return `[${[...value].map(asString).join(', ')}]`;
  if (isCelMap(value)) {
    const entries = [...value].map(([key, item]) => [asString(key as CelValue), asString(item)] as const);
    const sorted = entries.sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    return `{${sorted.map(([key, item]) => `${key}: ${item}`).join(', ')}}`;
  }
  const message = isReflectMessage(value) ? value.message : undefined;
  if (isMessage(message, TimestampSchema)) return instant(message);
  if (isMessage(message, DurationSchema)) return seconds(message);
  throw new Error('format: the clause %s does not support values of this type');
}

/** Formats a timestamp per RFC 3339, without trailing zeros in the fraction. */
function instant(time: Timestamp): string {
  const fraction = String(time.nanos).padStart(9, '0').replace(/0+$/, '');
  const whole = timestampDate({ ...time, nanos: 0 })
    .toISOString()
    .slice(0, -5);
  return `${whole}${fraction === '' ? '' : `.${fraction}`}Z`;
}

function seconds({ seconds: whole, nanos }: Duration): string {
  return `${plainDecimal(Number(whole) + nanos / 1e9)}s`;
}
