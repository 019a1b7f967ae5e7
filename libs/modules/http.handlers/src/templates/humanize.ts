/** Formats sizes and times in human-readable form. */
import { parseLayout } from '@sluice/text-template';

const defaultLayout = 'Mon, 02 Jan 2006 15:04:05 -0700';
const sizeUnits = ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'];

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const week = 7 * day;
const month = 30 * day;
const year = 12 * month;

/** Phrases for time differences. `%d` is the difference in units of `unit` seconds. */
const spans: readonly { readonly below: number; readonly words: string; readonly unit: number }[] = [
  { below: 1, words: 'now', unit: 1 },
  { below: 2, words: '1 second %s', unit: 1 },
  { below: minute, words: '%d seconds %s', unit: 1 },
  { below: 2 * minute, words: '1 minute %s', unit: 1 },
  { below: hour, words: '%d minutes %s', unit: minute },
  { below: 2 * hour, words: '1 hour %s', unit: 1 },
  { below: day, words: '%d hours %s', unit: hour },
  { below: 2 * day, words: '1 day %s', unit: 1 },
  { below: week, words: '%d days %s', unit: day },
  { below: 2 * week, words: '1 week %s', unit: 1 },
  { below: month, words: '%d weeks %s', unit: week },
  { below: 2 * month, words: '1 month %s', unit: 1 },
  { below: year, words: '%d months %s', unit: month },
  { below: 18 * month, words: '1 year %s', unit: 1 },
  { below: 2 * year, words: '2 years %s', unit: 1 },
  { below: 37 * year, words: '%d years %s', unit: year },
];

/** Implements the template function `humanize`. The format is `size` for a number of bytes, or `time` or `time:<layout>` for a date. */
export function humanize(format: string, value: string): string {
  const colon = format.indexOf(':');
  const kind = colon < 0 ? format : format.slice(0, colon);
  if (kind === 'size') {
    if (!/^\d{1,20}$/.test(value)) throw new Error(`${JSON.stringify(value)} is not a size in bytes`);
    return humanSize(Number(value));
  }
  if (kind === 'time') {
    const layout = colon < 0 ? defaultLayout : format.slice(colon + 1);
    return humanTime(parseLayout(layout, value).seconds, Date.now() / 1000);
  }
  throw new Error(`unknown format ${JSON.stringify(format)}; supported: size and time`);
}

function humanSize(bytes: number): string {
  if (bytes < 10) return `${bytes} B`;
  const power = Math.min(sizeUnits.length - 1, Math.floor(Math.log(bytes) / Math.log(1000) + 1e-12));
  const value = Math.floor((bytes / 1000 ** power) * 10 + 0.5) / 10;
  return `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ${sizeUnits[power]}`;
}

/** Formats a time relative to another time. Both are in seconds since the Unix epoch. */
function humanTime(then: number, now: number): string {
  const difference = Math.floor(Math.abs(now - then));
  const direction = then > now ? 'from now' : 'ago';
  const span = spans.find(({ below }) => difference < below);
  if (span === undefined) return `a long while ${direction}`;
  return span.words.replace('%d', String(Math.floor(difference / span.unit))).replace('%s', direction);
}
