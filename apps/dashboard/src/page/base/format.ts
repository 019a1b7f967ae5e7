/** Numbers and times as people read them. */

/** 1234567 is `1.2 M`. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  if (size >= 1e9) return `${digits(value / 1e9)} G`;
  if (size >= 1e6) return `${digits(value / 1e6)} M`;
  if (size >= 1e4) return `${digits(value / 1e3)} k`;
  return digits(value);
}

/** Bytes, by powers of 1024. */
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

/** Milliseconds: `0.42 ms`, `1.3 s`. */
export function milliseconds(value: number | null | undefined): string {
  if (value === null || value === undefined) return '–';
  return value >= 1000 ? `${digits(value / 1000)} s` : `${digits(value)} ms`;
}

/** A share of a whole: `0.1 %`. */
export function percent(part: number, whole: number): string {
  return whole === 0 ? '0 %' : `${digits((part / whole) * 100)} %`;
}

/** How long until a time, or since: `in 3 d`, `2 min ago`. */
export function relative(time: string | number, now: number = Date.now()): string {
  const seconds = (new Date(time).getTime() - now) / 1000;
  if (Number.isNaN(seconds)) return '–';
  const [size, unit] = span(Math.abs(seconds));
  if (Math.abs(seconds) < 5) return 'now';
  return seconds > 0 ? `in ${size} ${unit}` : `${size} ${unit} ago`;
}

/** A length of time in seconds: `42 s`, `3 min`, `2 h`. */
export function duration(seconds: number): string {
  return span(seconds).join(' ');
}

/** The time of day, with seconds. */
export function clock(time: string | number): string {
  return new Date(time).toLocaleTimeString(undefined, { hour12: false });
}

/** A word with its number: `1 route`, `2 routes`, `2 proxies`. */
export function count(number: number, word: string, plural: string = `${word}s`): string {
  return `${short(number)} ${number === 1 ? word : plural}`;
}

function span(seconds: number): readonly [number, string] {
  if (seconds < 90) return [Math.round(seconds), 's'];
  if (seconds < 5400) return [Math.round(seconds / 60), 'min'];
  if (seconds < 172_800) return [Math.round(seconds / 3600), 'h'];
  return [Math.round(seconds / 86_400), 'd'];
}

function digits(value: number): string {
  const size = Math.abs(value);
  const places = size === 0 || size >= 100 || Number.isInteger(value) ? 0 : size >= 10 ? 1 : 2;
  return value.toFixed(places).replace(/\.0+$/, '');
}
