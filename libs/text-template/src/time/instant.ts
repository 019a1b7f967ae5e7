/** Points in time with a time zone. Equivalent to Go's `time.Time`, with the methods that templates call. */
import { goType } from '../values/kind.ts';
import { int64, TypedNumber } from '../values/number.ts';
import { civilFromDays, daysFromCivil, mod, secondsPerDay, type CivilDate } from './civil.ts';
import { Duration, nanosecondsOf, roundTo } from './duration.ts';
import { formatLayout, monthNames, weekdayNames } from './layout.ts';
import { loadZone, utc } from './zone.ts';
import type { Zone, ZonePeriod } from './zone-period.ts';

const billion = 1_000_000_000n;
/** Go's zero time (the start of year 1), in seconds since the Unix epoch. */
const zeroSeconds = -62_135_596_800;
const started = performance.now();

/** A month or weekday: an integer that prints as a name. */
class NamedNumber extends TypedNumber {
  readonly #name: string;

  constructor(value: number, type: string, name: string) {
    super('int', value, type);
    this.#name = name;
  }

  String(): string {
    return this.#name;
  }
}

/** Time zone of an instant. Prints as the zone name. */
class Location {
  readonly [goType] = '*time.Location';
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  String(): string {
    return this.#name;
  }
}

/** A point in time with nanosecond resolution, in a time zone. */
export class Instant {
  readonly [goType] = 'time.Time';
  /** Seconds since the Unix epoch (1970-01-01 UTC). */
  readonly seconds: number;
  /** Nanosecond part of the instant, within its second. */
  readonly nanos: number;
  readonly zone: Zone;
  /** Monotonic clock reading in milliseconds, used only for printing. Null if the instant was not read from the clock. */
  readonly monotonic: number | null;

  constructor(seconds: number, nanos: number, zone: Zone, monotonic: number | null = null) {
    this.seconds = seconds;
    this.nanos = nanos;
    this.zone = zone;
    this.monotonic = monotonic;
  }

  /** Returns the current time. */
  static now(): Instant {
    const milliseconds = performance.timeOrigin + performance.now();
    const seconds = Math.floor(milliseconds / 1000);
    const nanos = Math.floor((milliseconds - seconds * 1000) * 1e6);
    return new Instant(seconds, nanos, loadZone('Local'), performance.now() - started);
  }

  /** Converts a JavaScript `Date`. The default zone is the local time zone. */
  static fromDate(date: Date, zone: Zone = loadZone('Local')): Instant {
    const milliseconds = date.getTime();
    return new Instant(Math.floor(milliseconds / 1000), mod(milliseconds, 1000) * 1e6, zone);
  }

  /** Converts seconds since the Unix epoch. The default zone is UTC. */
  static fromUnix(seconds: number, zone: Zone = utc): Instant {
    return new Instant(seconds, 0, zone);
  }

  /** Converts a local date and time of day in a zone to an instant. Out-of-range values carry over. */
  static fromCivil(date: CivilDate, secondOfDay: number, nanos: number, zone: Zone): Instant {
    const local = daysFromCivil(date.year, date.month, date.day) * secondsPerDay + secondOfDay;
    // The zone offset depends on the result, so the first lookup uses an estimate.
    const guess = zone.at(local - zone.at(local).offset);
    const seconds = local - guess.offset;
    const { offset } = zone.at(seconds);
    return new Instant(offset === guess.offset ? seconds : local - offset, nanos, zone);
  }

  /** Returns Go's zero time: the first second of year 1. */
  static zero(): Instant {
    return new Instant(zeroSeconds, 0, utc);
  }

  /** The zone's UTC offset and abbreviation at this instant. */
  get period(): ZonePeriod {
    return this.zone.at(this.seconds);
  }

  /** Local time as seconds since 1970-01-01 00:00 local time. */
  get localSeconds(): number {
    return this.seconds + this.period.offset;
  }

  /** Local date. */
  get civil(): CivilDate {
    return civilFromDays(Math.floor(this.localSeconds / secondsPerDay));
  }

  /** Seconds since midnight in local time. */
  get secondOfDay(): number {
    return mod(this.localSeconds, secondsPerDay);
  }

  /** Days since Sunday. */
  get weekday(): number {
    return mod(Math.floor(this.localSeconds / secondsPerDay) + 4, 7);
  }

  get yearDay(): number {
    return Math.floor(this.localSeconds / secondsPerDay) - daysFromCivil(this.civil.year, 1, 1) + 1;
  }

  /** Nanoseconds since the Unix epoch. */
  get unixNanos(): bigint {
    return BigInt(this.seconds) * billion + BigInt(this.nanos);
  }

  /** Returns the same instant in another zone. */
  inZone(zone: Zone): Instant {
    return new Instant(this.seconds, this.nanos, zone, this.monotonic);
  }

  #plus(nanoseconds: bigint): Instant {
    const total = this.unixNanos + nanoseconds;
    const nanos = ((total % billion) + billion) % billion;
    const monotonic = this.monotonic === null ? null : this.monotonic + Number(nanoseconds) / 1e6;
    return new Instant(Number((total - nanos) / billion), Number(nanos), this.zone, monotonic);
  }

  String(): string {
    const shown = formatLayout(this, '2006-01-02 15:04:05.999999999 -0700 MST');
    if (this.monotonic === null) return shown;
    return `${shown} m=${this.monotonic < 0 ? '-' : '+'}${(Math.abs(this.monotonic) / 1000).toFixed(9)}`;
  }

  /** Returns the instant in RFC 3339 format, for `toJson`. */
  toJSON(): string {
    return formatLayout(this, '2006-01-02T15:04:05.999999999Z07:00');
  }

  Format(layout: unknown): string {
    if (typeof layout !== 'string') throw new Error('wrong type for value; expected string');
    return formatLayout(this, layout);
  }

  Year(): number {
    return this.civil.year;
  }

  Month(): unknown {
    const { month } = this.civil;
    return new NamedNumber(month, 'time.Month', monthNames[month - 1] ?? '');
  }

  Day(): number {
    return this.civil.day;
  }

  Hour(): number {
    return Math.floor(this.secondOfDay / 3600);
  }

  Minute(): number {
    return Math.floor(this.secondOfDay / 60) % 60;
  }

  Second(): number {
    return this.secondOfDay % 60;
  }

  Nanosecond(): number {
    return this.nanos;
  }

  Weekday(): unknown {
    return new NamedNumber(this.weekday, 'time.Weekday', weekdayNames[this.weekday] ?? '');
  }

  YearDay(): number {
    return this.yearDay;
  }

  Unix(): unknown {
    return int64(this.seconds);
  }

  UnixMilli(): unknown {
    return int64(this.unixNanos / 1_000_000n);
  }

  UnixMicro(): unknown {
    return int64(this.unixNanos / 1_000n);
  }

  UnixNano(): unknown {
    return int64(this.unixNanos);
  }

  UTC(): Instant {
    return this.inZone(utc);
  }

  Local(): Instant {
    return this.inZone(loadZone('Local'));
  }

  Location(): unknown {
    return new Location(this.zone.name);
  }

  IsZero(): boolean {
    return this.seconds === zeroSeconds && this.nanos === 0;
  }

  IsDST(): boolean {
    const january = Instant.fromCivil({ year: this.civil.year, month: 1, day: 1 }, 0, 0, this.zone).period.offset;
    const july = Instant.fromCivil({ year: this.civil.year, month: 7, day: 1 }, 0, 0, this.zone).period.offset;
    return january !== july && this.period.offset === Math.max(january, july);
  }

  Add(duration: unknown): Instant {
    return this.#plus(nanosecondsOf(duration));
  }

  AddDate(years: unknown, months: unknown, days: unknown): Instant {
    const { year, month, day } = this.civil;
    const date = { year: year + Number(years), month: month + Number(months), day: day + Number(days) };
    return Instant.fromCivil(date, this.secondOfDay, this.nanos, this.zone);
  }

  Sub(other: unknown): Duration {
    return new Duration(clamp(this.unixNanos - instantOf(other).unixNanos));
  }

  Before(other: unknown): boolean {
    return this.unixNanos < instantOf(other).unixNanos;
  }

  After(other: unknown): boolean {
    return this.unixNanos > instantOf(other).unixNanos;
  }

  Equal(other: unknown): boolean {
    return this.unixNanos === instantOf(other).unixNanos;
  }

  Compare(other: unknown): number {
    const difference = this.unixNanos - instantOf(other).unixNanos;
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  }

  Truncate(duration: unknown): Instant {
    const unit = nanosecondsOf(duration);
    if (unit <= 0n) return this;
    const since = this.unixNanos - BigInt(zeroSeconds) * billion;
    return this.#plus(-(since % unit)).#unclocked();
  }

  Round(duration: unknown): Instant {
    const unit = nanosecondsOf(duration);
    if (unit <= 0n) return this.#unclocked();
    const since = this.unixNanos - BigInt(zeroSeconds) * billion;
    return this.#plus(roundTo(since, unit) - since).#unclocked();
  }

  #unclocked(): Instant {
    return new Instant(this.seconds, this.nanos, this.zone);
  }
}

function instantOf(value: unknown): Instant {
  if (value instanceof Instant) return value;
  throw new Error('wrong type for value; expected time.Time');
}

/** Clamps a time difference to about 292 years, the range of a Go duration. */
function clamp(nanoseconds: bigint): bigint {
  const max = 0x7fff_ffff_ffff_ffffn;
  return nanoseconds > max ? max : nanoseconds < -max - 1n ? -max - 1n : nanoseconds;
}
