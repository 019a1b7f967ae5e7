/** Parses dates with Go's date layouts. */
import { quote } from '../fmt/quote.ts';
import { daysInMonth, daysFromCivil, civilFromDays } from './civil.ts';
import { Instant } from './instant.ts';
import { cutLayout, monthNames, weekdayNames } from './layout.ts';
import { fixedZone, utc } from './zone.ts';
import type { Zone } from './zone-period.ts';

/** Parsed date fields. -1 means that a field is not set. */
interface Fields {
  year: number;
  month: number;
  day: number;
  yearDay: number;
  hour: number;
  minute: number;
  second: number;
  nanos: number;
  afternoon: boolean | null;
  offset: number | null;
  abbreviation: string;
}

/** Parses a date with a Go layout. `zone` applies if the date contains no zone. Throws if the date does not match the layout. */
export function parseLayout(layout: string, value: string, zone: Zone = utc): Instant {
  const fail = (part: string, rest: string, reason = ''): Error => {
    const shown = `parsing time ${quote(value)}`;
    if (reason !== '') return new Error(`${shown}: ${reason}`);
    return new Error(`${shown} as ${quote(layout)}: cannot parse ${quote(rest)} as ${quote(part)}`);
  };
  const fields: Fields = {
    year: 0,
    month: -1,
    day: -1,
    yearDay: -1,
    hour: 0,
    minute: 0,
    second: 0,
    nanos: 0,
    afternoon: null,
    offset: null,
    abbreviation: '',
  };
  let rest = value;
  const parts = cutLayout(layout);
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] ?? '';
    if (i % 2 === 0) {
      const left = skipLiteral(rest, part);
      if (left === null) throw fail(part, rest);
      rest = left;
      continue;
    }
    const length = readElement(fields, part, rest, parts[i + 1] === '' ? (parts[i + 2] ?? '') : '');
    if (length === null) throw fail(part, rest);
    if (typeof length === 'string') throw fail(part, rest, `${length} out of range`);
    rest = rest.slice(length);
  }
  if (rest !== '') throw fail('', rest, `extra text: ${quote(rest)}`);
  return assemble(fields, zone, (reason) => fail('', '', reason));
}

/** Skips literal text. A run of spaces matches a run of spaces of any length. */
function skipLiteral(value: string, literal: string): string | null {
  let at = 0;
  for (let i = 0; i < literal.length;) {
    if (literal[i] === ' ') {
      if (at < value.length && value[at] !== ' ') return null;
      while (literal[i] === ' ') i++;
      while (value[at] === ' ') at++;
      continue;
    }
    if (value[at] !== literal[i]) return null;
    at++;
    i++;
  }
  return value.slice(at);
}

function assemble(fields: Fields, zone: Zone, fail: (reason: string) => Error): Instant {
  let { month, day, hour } = fields;
  if (fields.afternoon === true && hour < 12) hour += 12;
  else if (fields.afternoon === false && hour === 12) hour = 0;
  if (fields.yearDay >= 0) {
    const length = daysFromCivil(fields.year + 1, 1, 1) - daysFromCivil(fields.year, 1, 1);
    if (fields.yearDay < 1 || fields.yearDay > length) throw fail('day-of-year out of range');
    const date = civilFromDays(daysFromCivil(fields.year, 1, fields.yearDay));
    if (month >= 0 && month !== date.month) throw fail('day-of-year does not match month');
    if (day >= 0 && day !== date.day) throw fail('day-of-year does not match day');
    ({ month, day } = date);
  }
  if (month < 0) month = 1;
  if (day < 0) day = 1;
  if (day < 1 || day > daysInMonth(fields.year, month)) throw fail('day out of range');
  const seconds = hour * 3600 + fields.minute * 60 + fields.second;
  const date = { year: fields.year, month, day };
  return Instant.fromCivil(date, seconds, fields.nanos, zoneOf(fields, zone));
}

/** Returns the zone for a parsed offset or abbreviation. Creates a new zone unless the offset or abbreviation matches `zone`. */
function zoneOf(fields: Fields, zone: Zone): Zone {
  const { offset, abbreviation } = fields;
  if (offset === null) {
    if (abbreviation === '') return zone;
    if (abbreviation === 'UTC') return utc;
    const hours = /^GMT([+-]\d{1,2})$/.exec(abbreviation)?.[1];
    return fixedZone(abbreviation, hours === undefined ? 0 : Number(hours) * 3600);
  }
  if (offset === 0 && (abbreviation === '' || abbreviation === 'UTC')) return utc;
  return fixedZone(abbreviation, offset);
}

/**
 * Parses one layout element. Returns the number of characters consumed, null on a mismatch, or the name of an out-of-range value. `next` is
 * the element that follows directly, or empty.
 */
function readElement(f: Fields, name: string, value: string, next: string): number | string | null {
  switch (name) {
    case '2006':
      return digits(value, 4, 4, (n) => void (f.year = n));
    case '06':
      return digits(value, 2, 2, (n) => void (f.year = n >= 69 ? 1900 + n : 2000 + n));
    case 'January':
      return word(value, monthNames, (i) => void (f.month = i + 1));
    case 'Jan':
      return word(value, shortMonths, (i) => void (f.month = i + 1));
    case '1':
    case '01':
      return ranged(
        digits(value, name.length, 2, (n) => void (f.month = n)),
        f.month >= 1 && f.month <= 12,
        'month',
      );
    case 'Monday':
      return word(value, weekdayNames, () => undefined);
    case 'Mon':
      return word(value, shortWeekdays, () => undefined);
    case '2':
    case '_2':
    case '02': {
      const padding = name === '_2' && value.startsWith(' ') ? 1 : 0;
      const length = digits(value.slice(padding), name === '02' ? 2 : 1, 2, (n) => void (f.day = n));
      return length === null ? null : length + padding;
    }
    case '__2':
    case '002': {
      const padding = name === '__2' ? (/^ {0,2}/.exec(value)?.[0].length ?? 0) : 0;
      const length = digits(value.slice(padding), 3 - padding, 3 - padding, (n) => void (f.yearDay = n));
      return length === null ? null : length + padding;
    }
    case '15':
      return ranged(
        digits(value, 1, 2, (n) => void (f.hour = n)),
        f.hour < 24,
        'hour',
      );
    case '3':
    case '03':
      return ranged(
        digits(value, name.length, 2, (n) => void (f.hour = n)),
        f.hour <= 12,
        'hour',
      );
    case '4':
    case '04':
      return ranged(
        digits(value, name.length, 2, (n) => void (f.minute = n)),
        f.minute < 60,
        'minute',
      );
    case '5':
    case '05':
      return readSecond(f, name, value, next);
    case 'PM':
    case 'pm':
      return readHalf(f, name, value);
    case 'MST':
      return readAbbreviation(f, value);
    default:
      return name.startsWith('Z') || name.startsWith('-') ? readOffset(f, name, value) : readFraction(f, name, value);
  }
}

const shortMonths = monthNames.map((month) => month.slice(0, 3));
const shortWeekdays = weekdayNames.map((day) => day.slice(0, 3));

function digits(value: string, min: number, max: number, set: (n: number) => void): number | null {
  const match = /^\d+/.exec(value.slice(0, max))?.[0] ?? '';
  if (match.length < min) return null;
  set(Number(match));
  return match.length;
}

function word(value: string, names: readonly string[], set: (index: number) => void): number | null {
  const index = names.findIndex((name) => value.slice(0, name.length).toLowerCase() === name.toLowerCase());
  if (index === -1) return null;
  set(index);
  return names[index]?.length ?? 0;
}

function ranged(length: number | null, inRange: boolean, what: string): number | string | null {
  return length === null || inRange ? length : what;
}

/** Parses seconds. Accepts an optional fraction even if the layout does not contain one. */
function readSecond(f: Fields, name: string, value: string, next: string): number | string | null {
  const length = ranged(
    digits(value, name.length, 2, (n) => void (f.second = n)),
    f.second < 60,
    'second',
  );
  if (typeof length !== 'number' || /^[.,][09]/.test(next)) return length;
  const fraction = /^[.,]\d+/.exec(value.slice(length))?.[0] ?? '';
  if (fraction !== '') f.nanos = Number(fraction.slice(1, 10).padEnd(9, '0'));
  return length + fraction.length;
}

function readFraction(f: Fields, name: string, value: string): number | null {
  const optional = name.charAt(1) === '9';
  const match = (optional ? /^[.,]\d+/ : /^[.,]\d+/).exec(optional ? value : value.slice(0, name.length))?.[0];
  if (match === undefined) return optional ? 0 : null;
  if (!optional && match.length !== name.length) return null;
  f.nanos = Number(match.slice(1, 10).padEnd(9, '0'));
  return match.length;
}

function readHalf(f: Fields, name: string, value: string): number | null {
  const half = value.slice(0, 2);
  const [afternoon, morning] = name === 'PM' ? ['PM', 'AM'] : ['pm', 'am'];
  if (half !== afternoon && half !== morning) return null;
  f.afternoon = half === afternoon;
  return 2;
}

function readAbbreviation(f: Fields, value: string): number | null {
  const name = /^(?:UTC|ChST|MeST|GMT(?:[+-]\d{1,2})?|[+-]\d\d(?:\d\d)?|[A-Z]{3}(?![A-Z])|[A-Z]{3,4}T(?![A-Z]))/.exec(
    value,
  )?.[0];
  if (name === undefined) return null;
  f.abbreviation = name;
  return name.length;
}

function readOffset(f: Fields, name: string, value: string): number | string | null {
  if (name.startsWith('Z') && value.startsWith('Z')) {
    f.offset = 0;
    return 1;
  }
  const count = name.replaceAll(/[Z:-]/g, '').length;
  const colon = name.includes(':') ? ':' : '';
  const form = new RegExp(
    `^([+-])(\\d\\d)${count > 2 ? `${colon}(\\d\\d)` : '()'}${count > 4 ? `${colon}(\\d\\d)` : '()'}`,
  );
  const match = form.exec(value);
  if (match === null) return null;
  const [hours, minutes, seconds] = [Number(match[2]), Number(match[3]), Number(match[4])];
  if (hours > 24) return 'time zone offset hour';
  if (minutes >= 60) return 'time zone offset minute';
  const size = hours * 3600 + minutes * 60 + seconds;
  f.offset = match[1] === '-' ? -size : size;
  return match[0].length;
}
