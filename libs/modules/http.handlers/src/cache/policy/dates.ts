/**
 * Parses dates in responses (RFC 9110 §5.6.7). Upper and lower case are equivalent in the names of days, months and the time zone, because
 * upstreams differ.
 */
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const imf = /^[a-z]{3}, (\d\d) ([a-z]{3}) (\d{4}) (\d\d):(\d\d):(\d\d) gmt$/i;
const rfc850 = /^[a-z]{6,9}, (\d\d)-([a-z]{3})-(\d\d) (\d\d):(\d\d):(\d\d) gmt$/i;
const asctime = /^[a-z]{3} ([a-z]{3}) ([ \d]\d) (\d\d):(\d\d):(\d\d) (\d{4})$/i;

/** Returns the date in milliseconds since the Unix epoch. Returns NaN if the text matches none of the three HTTP date formats. */
export function parseDate(text: string): number {
  const found = imf.exec(text) ?? rfc850.exec(text);
  if (found !== null) {
    const [, day, month, year, ...clock] = found;
    return timeOf(fullYear(String(year)), String(month), Number(day), clock);
  }
  const old = asctime.exec(text);
  if (old === null) return Number.NaN;
  const [, month, day, hour, minute, second, year] = old;
  return timeOf(Number(year), String(month), Number(day), [String(hour), String(minute), String(second)]);
}

/** Converts a two-digit year. A year more than 50 years in the future is assigned to the previous century. */
function fullYear(year: string): number {
  if (year.length > 2) return Number(year);
  const now = new Date().getUTCFullYear();
  const candidate = now - (now % 100) + Number(year);
  return candidate > now + 50 ? candidate - 100 : candidate;
}

function timeOf(year: number, month: string, day: number, clock: readonly string[]): number {
  const [hour = 0, minute = 0, second = 0] = clock.map(Number);
  const index = months.indexOf(month.toLowerCase());
  if (index < 0 || hour > 23 || minute > 59 || second > 60) return Number.NaN;
  const time = Date.UTC(year, index, day, hour, minute, second);
  return new Date(time - second * 1000).getUTCDate() === day ? time : Number.NaN;
}
