/** Formats numbers and times for display. */

/** Formats a number: `1.23 M` for 1234567, `1,234` for 1234. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  if (size >= 1e9) return `${digits(value / 1e9)} G`;
  if (size >= 1e6) return `${digits(value / 1e6)} M`;
  if (size >= 1e4) return `${digits(value / 1e3)} k`;
  if (size >= 1000) return Math.round(value).toLocaleString('en-US');
  return digits(value);
}

/** Formats a number of bytes in binary units, for example `1.5 KiB`. */
export function bytes(value: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let size = value;
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${digits(size)} ${units[unit] ?? ''}`;
}

/** Formats a duration in milliseconds, for example `0.42 ms` or `1.30 s`. */
export function milliseconds(value: number | null | undefined): string {
  if (value === null || value === undefined) return '–';
  return value >= 1000 ? `${digits(value / 1000)} s` : `${digits(value)} ms`;
}

/** Formats a part of a whole as a percentage, for example `0.1%`. */
export function percent(part: number, whole: number): string {
  return whole === 0 ? '0%' : `${digits((part / whole) * 100)}%`;
}

/** Formats a time relative to now, for example `in 3 days` or `2 min ago`. */
export function relative(time: string | number, now: number = Date.now()): string {
  const seconds = (new Date(time).getTime() - now) / 1000;
  if (Number.isNaN(seconds)) return '–';
  const text = span(Math.abs(seconds));
  if (Math.abs(seconds) < 5) return 'now';
  return seconds > 0 ? `in ${text}` : `${text} ago`;
}

/** Formats the time of day with milliseconds, in the browser's time zone and with the offset: `22:53:10.206 +01:00`. */
export function localTime(time: string | number): string {
  return localTimestamp(time).slice(11);
}

/** Formats the date and time in the browser's time zone, with the offset: `2026-11-27 22:53:10 +01:00`. */
export function localDateTime(time: string | number): string {
  return localTimestamp(time).replace(/\.\d+/, '');
}

/** Formats the date and time like {@link localDateTime}, but with milliseconds. */
export function localTimestamp(time: string | number): string {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return '–';
  const offset = -at.getTimezoneOffset();
  const local = new Date(at.getTime() + offset * 60_000).toISOString();
  const [hours, minutes] = [Math.trunc(Math.abs(offset) / 60), Math.abs(offset) % 60];
  const zone = `${offset < 0 ? '-' : '+'}${twoDigits(hours)}:${twoDigits(minutes)}`;
  return `${local.slice(0, 10)} ${local.slice(11, 23)} ${zone}`;
}

/** Formats a duration in seconds, for example `42 s`, `3 min` or `2 h`. */
export function duration(seconds: number): string {
  return span(seconds);
}

/** Formats the time of day with seconds. */
export function clock(time: string | number): string {
  return new Date(time).toLocaleTimeString(undefined, { hour12: false });
}

/** Formats a number with a noun, for example `1 route` or `2 routes`. `plural` is for irregular plurals. */
export function count(number: number, noun: string, plural: string = `${noun}s`): string {
  return `${short(number)} ${number === 1 ? noun : plural}`;
}

/** Formats a request rate in requests per second. */
export function rate(value: number): string {
  return `${short(value)} req/s`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

function span(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}

function digits(value: number): string {
  const size = Math.abs(value);
  const places = size === 0 || size >= 100 || Number.isInteger(value) ? 0 : size >= 10 ? 1 : 2;
  return value.toFixed(places).replace(/\.0+$/, '');
}
