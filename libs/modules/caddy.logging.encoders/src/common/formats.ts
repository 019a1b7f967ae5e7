/** Time and duration formats of log entries. */
import { formatDuration } from '@sluice/base';

type TimeFormat = (time: number) => string | number;

const two = (value: number): string => String(value).padStart(2, '0');
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

interface Parts {
  readonly date: string;
  readonly clock: string;
  readonly milli: string;
  readonly offset: string;
  readonly day: string;
}

/** Returns the date and time components of a time, in local time or UTC. */
function partsOf(time: number, local: boolean): Parts {
  const minutes = local ? -new Date(time).getTimezoneOffset() : 0;
  const date = new Date(time + minutes * 60_000);
  const sign = minutes < 0 ? '-' : '+';
  return {
    date: `${date.getUTCFullYear()}/${two(date.getUTCMonth() + 1)}/${two(date.getUTCDate())}`,
    clock: `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`,
    milli: String(date.getUTCMilliseconds()).padStart(3, '0'),
    offset: `${sign}${two(Math.floor(Math.abs(minutes) / 60))}${two(Math.abs(minutes) % 60)}`,
    day: `${two(date.getUTCDate())}/${months[date.getUTCMonth()]}/${date.getUTCFullYear()}`,
  };
}

function rfc3339(time: number, local: boolean, fraction: boolean): string {
  const { date, clock, milli, offset } = partsOf(time, local);
  const zone = local && offset !== '+0000' ? `${offset.slice(0, 3)}:${offset.slice(3)}` : 'Z';
  const rest = fraction ? `.${milli}`.replace(/\.?0+$/, '') : '';
  return `${date.replaceAll('/', '-')}T${clock}${rest}${zone}`;
}

/** Returns a time format by name, or `null` if the name is unknown. The resolution is one millisecond. */
export function formatTime(name: string, local: boolean): TimeFormat | null {
  switch (name) {
    case 'unix_seconds_float':
      return (time) => time / 1000;
    case 'unix_milli_float':
      return (time) => time;
    case 'unix_nano':
      return (time) => Math.round(time) * 1e6;
    case 'iso8601':
      return (time) => {
        const { date, clock, milli, offset } = partsOf(time, local);
        return `${date.replaceAll('/', '-')}T${clock}.${milli}${local && offset !== '+0000' ? offset : 'Z'}`;
      };
    case 'rfc3339':
      return (time) => rfc3339(time, local, false);
    case 'rfc3339_nano':
      return (time) => rfc3339(time, local, true);
    case 'wall':
      return (time) => formatWallClock(time, local);
    case 'wall_milli':
      return (time) => `${formatWallClock(time, local)}.${partsOf(time, local).milli}`;
    case 'wall_nano':
      return (time) => `${formatWallClock(time, local)}.${partsOf(time, local).milli}000000`;
    case 'common_log':
      return (time) => {
        const { day, clock, offset } = partsOf(time, local);
        return `${day}:${clock} ${offset}`;
      };
    default:
      return null;
  }
}

/** Returns a time format for a Go layout. Its code is loaded on demand. */
export async function formatTimeByLayout(layout: string, local: boolean): Promise<TimeFormat> {
  const { fixedZone, Instant } = await import('@sluice/text-template');
  const utc = fixedZone('UTC', 0);
  return (time) => {
    const instant = local ? Instant.fromDate(new Date(time)) : Instant.fromDate(new Date(time), utc);
    return instant.Format(layout);
  };
}

function formatWallClock(time: number, local: boolean): string {
  const { date, clock } = partsOf(time, local);
  return `${date} ${clock}`;
}

/** Converts milliseconds to seconds and rounds them to nanoseconds. */
export function seconds(milliseconds: number): number {
  return Math.round(milliseconds * 1e6) / 1e9;
}

/** Returns a duration format by name, or `null` if the name is unknown. The returned function takes milliseconds. */
export function formatDurationAs(name: string): ((milliseconds: number) => string | number) | null {
  switch (name) {
    case 'seconds':
    case 's':
    case 'second':
      return seconds;
    case 'ms':
    case 'milli':
    case 'millis':
      return (milliseconds) => Math.floor(milliseconds);
    case 'nano':
    case 'nanos':
    case 'ns':
      return (milliseconds) => Math.round(milliseconds * 1e6);
    case 'string':
      return formatDuration;
    default:
      return null;
  }
}
