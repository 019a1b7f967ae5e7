/** Date functions that use Go's date layouts, such as `date "2006-01-02" now`. */
import { declare, type TemplateFunction } from '../functions/declare.ts';
import { any, text, type Parameter } from '../functions/parameters.ts';
import { typeOf } from '../values/kind.ts';
import { integerOf, TypedNumber } from '../values/number.ts';
import { Duration, formatDuration, parseDuration } from '../time/duration.ts';
import { Instant } from '../time/instant.ts';
import { formatLayout } from '../time/layout.ts';
import { parseLayout } from '../time/parse-layout.ts';
import { loadZone, utc } from '../time/zone.ts';
import type { Zone } from '../time/zone-period.ts';

const second = 1_000_000_000n;

/** Parameter type `time.Time`. */
const instant: Parameter<Instant> = {
  type: 'time.Time',
  constant: 'none',
  nil: undefined,
  read: (value) => (value instanceof Instant ? value : undefined),
};

/** Converts a value to an instant. Integers are seconds since the Unix epoch. All other values become the current time. */
function instantOf(value: unknown): Instant {
  if (value instanceof Instant) return value;
  const kind = typeOf(value);
  if (kind === 'int' || kind === 'int32' || kind === 'int64') {
    return Instant.fromUnix(Number(integerOf(value)), loadZone('Local'));
  }
  return Instant.now();
}

function zoneOrUtc(name: string): Zone {
  try {
    return loadZone(name);
  } catch {
    return utc;
  }
}

function dateInZone(layout: string, value: unknown, zone: string): string {
  return formatLayout(instantOf(value).inZone(zoneOrUtc(zone)), layout);
}

/** Converts a number of seconds, given as a string or `int64`, to a duration. */
function duration(value: unknown): string {
  if (typeof value === 'string') return /^[+-]?\d{1,18}$/.test(value) ? formatDuration(BigInt(value) * second) : '0s';
  return typeOf(value) === 'int64' ? formatDuration(BigInt.asIntN(64, BigInt(integerOf(value) ?? 0) * second)) : '0s';
}

const units: readonly (readonly [bigint, string])[] = [
  [8_760n * 3_600n * second, 'y'],
  [720n * 3_600n * second, 'mo'],
  [24n * 3_600n * second, 'd'],
  [3_600n * second, 'h'],
  [60n * second, 'm'],
  [second, 's'],
];

/** Formats a duration in the largest unit that it contains more than once, such as `2h` or `3mo`. */
function durationRound(value: unknown): string {
  const nanoseconds = nanosecondsIn(value);
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  for (const [unit, name] of units) if (size > unit) return `${size / unit}${name}`;
  return '0s';
}

function nanosecondsIn(value: unknown): bigint {
  if (typeof value === 'string') return lenient(() => parseDuration(value).nanoseconds, 0n);
  if (value instanceof Instant) return Instant.now().Sub(value).nanoseconds;
  const plain = value instanceof TypedNumber && !(value instanceof Duration) && value.kind === 'int64';
  return plain ? BigInt(value.value) : 0n;
}

/** Returns the time elapsed since an instant, in whole seconds. */
function ago(value: unknown): string {
  const since = Instant.now().Sub(instantOf(value)).nanoseconds;
  return new Duration(since).Round(second).String();
}

function modify(change: string, date: Instant): Instant {
  return date.Add(parseDuration(change));
}

/** Returns a fallback value if a function fails. Used for functions without the `must` prefix. */
function lenient<T>(act: () => T, otherwise: T): T {
  try {
    return act();
  } catch {
    return otherwise;
  }
}

const inZone = declare([text, any, text], dateInZone);
const dateModify = declare([text, instant], (change, date) => lenient(() => modify(change, date), date));
const mustDateModify = declare([text, instant], modify);

export const dates: Readonly<Record<string, TemplateFunction>> = {
  ago: declare([any], ago),
  date: declare([text, any], (layout, value) => dateInZone(layout, value, 'Local')),
  dateInZone: inZone,
  date_in_zone: inZone,
  dateModify,
  date_modify: dateModify,
  mustDateModify,
  must_date_modify: mustDateModify,
  duration: declare([any], duration),
  durationRound: declare([any], durationRound),
  htmlDate: declare([any], (value) => dateInZone('2006-01-02', value, 'Local')),
  htmlDateInZone: declare([any, text], (value, zone) => dateInZone('2006-01-02', value, zone)),
  now: declare([], () => Instant.now()),
  toDate: declare([text, text], (layout, value) =>
    lenient(() => parseLayout(layout, value, loadZone('Local')), Instant.zero()),
  ),
  mustToDate: declare([text, text], (layout, value) => parseLayout(layout, value, loadZone('Local'))),
  unixEpoch: declare([instant], (date) => String(date.seconds)),
};
