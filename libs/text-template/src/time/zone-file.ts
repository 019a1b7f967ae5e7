/** Parses compiled time zone files (TZif, RFC 9636). */
import { daysFromCivil, secondsPerDay } from './civil.ts';
import type { Zone, ZonePeriod } from './zone-period.ts';

interface Transitions {
  readonly times: readonly number[];
  readonly periods: readonly ZonePeriod[];
  readonly initial: ZonePeriod;
}

/** Parses a time zone file. Throws if the file is invalid. */
export function readZoneFile(file: Uint8Array, name: string): Zone {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const first = readHeader(view, 0);
  // Files of version 2 or later have a second block with 64-bit times. The block is followed by a rule for times after the last transition.
  const second = first.version >= 2 ? readHeader(view, first.end) : null;
  const { times, periods, initial } = readBlock(view, second ?? first, second === null ? 4 : 8);
  const footer = second === null ? '' : Buffer.from(file.subarray(second.end64)).toString('latin1');
  const rule = parseRule(/^\n(.*)\n/.exec(footer)?.[1] ?? '');
  const last = times.at(-1) ?? -Infinity;
  const at = (seconds: number): ZonePeriod => {
    if (rule !== null && seconds >= last) return rule(seconds);
    return periods[lastIndexAtMost(times, seconds)] ?? initial;
  };
  return { name, at };
}

function lastIndexAtMost(times: readonly number[], seconds: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? Infinity) <= seconds) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

interface Header {
  readonly version: number;
  readonly start: number;
  readonly leaps: number;
  readonly times: number;
  readonly types: number;
  readonly characters: number;
  /** End offset of the block with 4-byte times. `end64` is the end offset of the block with 8-byte times. */
  readonly end: number;
  readonly end64: number;
}

function readHeader(view: DataView, at: number): Header {
  if (view.getUint32(at) !== 0x545a6966) throw new Error('not a time zone file');
  const version = view.getUint8(at + 4) === 0 ? 1 : 2;
  const [utcMarks = 0, stdMarks = 0, leaps = 0, times = 0, types = 0, characters = 0] = Array.from(
    { length: 6 },
    (_, i) => view.getUint32(at + 20 + i * 4),
  );
  const start = at + 44;
  const common = types * 6 + characters + stdMarks + utcMarks;
  const end = start + times * 5 + common + leaps * 8;
  return { version, start, leaps, times, types, characters, end, end64: start + times * 9 + common + leaps * 12 };
}

function readBlock(view: DataView, header: Header, width: 4 | 8): Transitions {
  const { start, times, types } = header;
  const indexes = start + times * width;
  const records = indexes + times;
  const names = records + types * 6;
  const typeAt = (index: number): ZonePeriod => {
    const record = records + index * 6;
    const abbreviation = readName(view, names + view.getUint8(record + 5));
    return { offset: view.getInt32(record), abbreviation };
  };
  const standard = Array.from({ length: types }, (_, i) => i).find((i) => view.getUint8(records + i * 6 + 4) === 0);
  return {
    times: Array.from({ length: times }, (_, i) =>
      width === 8 ? Number(view.getBigInt64(start + i * 8)) : view.getInt32(start + i * 4),
    ),
    periods: Array.from({ length: times }, (_, i) => typeAt(view.getUint8(indexes + i))),
    initial: typeAt(standard ?? 0),
  };
}

function readName(view: DataView, at: number): string {
  let name = '';
  for (let i = at; view.getUint8(i) !== 0; i++) name += String.fromCharCode(view.getUint8(i));
  return name;
}

const ruleForm =
  /^(<[^>]+>|[A-Za-z]{3,})([+-]?[\d:]+)(?:(<[^>]+>|[A-Za-z]{3,})([+-]?[\d:]+)?,([^,/]+)(?:\/([+-]?[\d:]+))?,([^,/]+)(?:\/([+-]?[\d:]+))?)?$/;

/** Parses the POSIX time zone rule in the file's footer, such as `CET-1CEST,M3.5.0,M10.5.0/3`. Returns null if there is no rule. */
function parseRule(text: string): ((seconds: number) => ZonePeriod) | null {
  const match = ruleForm.exec(text);
  if (match === null) return null;
  const [, name = '', west = '', summerName, summerWest, begin = '', beginTime, end = '', endTime] = match;
  const standard: ZonePeriod = { abbreviation: bare(name), offset: -clock(west) };
  if (summerName === undefined) return () => standard;
  const offset = summerWest === undefined ? standard.offset + 3600 : -clock(summerWest);
  const summer: ZonePeriod = { abbreviation: bare(summerName), offset };
  return (seconds) => {
    const year = new Date((seconds + standard.offset) * 1000).getUTCFullYear();
    const from = dayOfRule(begin, year) * secondsPerDay + clock(beginTime ?? '2') - standard.offset;
    const to = dayOfRule(end, year) * secondsPerDay + clock(endTime ?? '2') - summer.offset;
    const isSummer = from < to ? seconds >= from && seconds < to : seconds >= from || seconds < to;
    return isSummer ? summer : standard;
  };
}

function bare(name: string): string {
  return name.replace(/^<|>$/g, '');
}

function clock(text: string): number {
  const [hours = '0', minutes = '0', seconds = '0'] = text.replace(/^[+-]/, '').split(':');
  const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return text.startsWith('-') ? -size : size;
}

/** Returns the days since 1970 for a date in a POSIX rule: `M3.5.0` (month, week, weekday; week 5 is the last), `J60` or `59`. */
function dayOfRule(rule: string, year: number): number {
  const start = daysFromCivil(year, 1, 1);
  if (rule.startsWith('J')) {
    const day = Number(rule.slice(1));
    const leap = daysFromCivil(year, 3, 1) - start === 60;
    return start + day - 1 + (leap && day >= 60 ? 1 : 0);
  }
  if (!rule.startsWith('M')) return start + Number(rule);
  const [month = 1, week = 1, weekday = 0] = rule.slice(1).split('.').map(Number);
  const first = daysFromCivil(year, month, 1);
  const day = first + ((weekday - ((((first + 4) % 7) + 7) % 7) + 7) % 7) + (week - 1) * 7;
  return day >= daysFromCivil(year, month + 1, 1) ? day - 7 : day;
}
