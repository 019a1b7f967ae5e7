/**
 * Formats dates with Go's date layouts. A layout shows how Go's reference time, Mon Jan 2 15:04:05 MST 2006, would be formatted.
 * parse-layout.ts contains the parser.
 */
import type { CivilDate } from './civil.ts';
import type { ZonePeriod } from './zone-period.ts';

/** An instant as local time in its zone, for formatting. */
export interface LocalTime {
  readonly civil: CivilDate;
  readonly secondOfDay: number;
  readonly nanos: number;
  /** 0 = Sunday. */
  readonly weekday: number;
  /** 1-based day of the year. */
  readonly yearDay: number;
  readonly period: ZonePeriod;
}

export const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

/** Starting with Sunday. */
export const weekdayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

const element =
  /January|Jan(?![a-z])|Monday|Mon(?![a-z])|MST|2006|__2|_2(?!006)|002|0[1-6]|15|[1-5]|PM|pm|[Z-](?:07:00:00|070000|07:00|0700|07)|[.,](?:0+|9+)(?!\d)/g;

const cache = new Map<string, readonly string[]>();
const maxCached = 256;
const maxCachedLength = 256;

/** Splits a date layout into literal text (even indexes) and layout elements (odd indexes). */
export function cutLayout(layout: string): readonly string[] {
  const before = cache.get(layout);
  if (before !== undefined) return before;
  const parts: string[] = [];
  let end = 0;
  for (const match of layout.matchAll(element)) {
    parts.push(layout.slice(end, match.index), match[0]);
    end = match.index + match[0].length;
  }
  parts.push(layout.slice(end));
  if (cache.size >= maxCached) cache.clear();
  if (layout.length <= maxCachedLength) cache.set(layout, parts);
  return parts;
}

export function formatLayout(time: LocalTime, layout: string): string {
  let text = '';
  for (const [index, part] of cutLayout(layout).entries()) text += index % 2 === 0 ? part : formatElement(time, part);
  return text;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

function formatElement(time: LocalTime, name: string): string {
  const { year, month, day } = time.civil;
  const hour = Math.floor(time.secondOfDay / 3600);
  const twelve = hour % 12 === 0 ? 12 : hour % 12;
  switch (name) {
    case '2006':
      return year < 0 ? `-${String(-year).padStart(4, '0')}` : String(year).padStart(4, '0');
    case '06':
      return two(((year % 100) + 100) % 100);
    case 'January':
      return monthNames[month - 1] ?? '';
    case 'Jan':
      return (monthNames[month - 1] ?? '').slice(0, 3);
    case '1':
      return String(month);
    case '01':
      return two(month);
    case 'Monday':
      return weekdayNames[time.weekday] ?? '';
    case 'Mon':
      return (weekdayNames[time.weekday] ?? '').slice(0, 3);
    case '2':
      return String(day);
    case '_2':
      return String(day).padStart(2);
    case '02':
      return two(day);
    case '__2':
      return String(time.yearDay).padStart(3);
    case '002':
      return String(time.yearDay).padStart(3, '0');
    case '15':
      return two(hour);
    case '3':
      return String(twelve);
    case '03':
      return two(twelve);
    case '4':
      return String(Math.floor(time.secondOfDay / 60) % 60);
    case '04':
      return two(Math.floor(time.secondOfDay / 60) % 60);
    case '5':
      return String(time.secondOfDay % 60);
    case '05':
      return two(time.secondOfDay % 60);
    case 'PM':
      return hour >= 12 ? 'PM' : 'AM';
    case 'pm':
      return hour >= 12 ? 'pm' : 'am';
    case 'MST':
      return time.period.abbreviation === '' ? formatOffset(time.period.offset, '-0700') : time.period.abbreviation;
    default:
      return name.startsWith('Z') || name.startsWith('-')
        ? formatOffset(time.period.offset, name)
        : formatFraction(time.nanos, name);
  }
}

/** Formats a UTC offset as `+0100` or a variant. Variants with `Z` format UTC as `Z`. */
function formatOffset(offset: number, name: string): string {
  if (offset === 0 && name.startsWith('Z')) return 'Z';
  const size = Math.abs(offset);
  const colon = name.includes(':') ? ':' : '';
  const hours = two(Math.floor(size / 3600));
  const minutes = two(Math.floor(size / 60) % 60);
  const digits = name.replaceAll(/[Z:-]/g, '').length;
  const sign = offset < 0 ? '-' : '+';
  if (digits === 2) return sign + hours;
  return sign + hours + colon + minutes + (digits === 6 ? colon + two(size % 60) : '');
}

/** Formats fractional seconds. `.000` has a fixed number of digits, and `.999` omits trailing zeros. */
function formatFraction(nanos: number, name: string): string {
  const digits = String(nanos)
    .padStart(9, '0')
    .slice(0, name.length - 1)
    .padEnd(name.length - 1, '0');
  if (name.charAt(1) === '0') return name.charAt(0) + digits;
  const kept = digits.replace(/0+$/, '');
  return kept === '' ? '' : name.charAt(0) + kept;
}
