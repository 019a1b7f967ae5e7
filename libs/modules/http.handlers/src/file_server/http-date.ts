/** Parses dates in request headers (RFC 9110 §5.6.7). */

const months = 'JanFebMarAprMayJunJulAugSepOctNovDec';
const imf = /^[A-Z][a-z]{2}, (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT$/;
const rfc850 = /^[A-Z][a-z]{5,8}, (\d\d)-([A-Z][a-z]{2})-(\d\d) (\d\d):(\d\d):(\d\d) GMT$/;
const asctime = /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) ([ \d]\d) (\d\d):(\d\d):(\d\d) (\d{4})$/;

/** Parses an HTTP date in any of the three formats. Returns milliseconds since the Unix epoch, or NaN if the text is invalid. */
export function parseHttpDate(text: string): number {
  const found = imf.exec(text) ?? rfc850.exec(text);
  if (found !== null) {
    const [, day, month, year, hour, minute, second] = found;
    return time(
      fullYear(String(year)),
      String(month),
      Number(day),
      secondOfDay(Number(hour), Number(minute), Number(second)),
    );
  }
  const old = asctime.exec(text);
  if (old === null) return Number.NaN;
  const [, month, day, hour, minute, second, year] = old;
  return time(Number(year), String(month), Number(day), secondOfDay(Number(hour), Number(minute), Number(second)));
}

/** Converts a two-digit year. The result is at most 50 years in the future. */
function fullYear(year: string): number {
  if (year.length > 2) return Number(year);
  const now = new Date().getUTCFullYear();
  const candidate = now - (now % 100) + Number(year);
  return candidate > now + 50 ? candidate - 100 : candidate;
}

/** Returns the seconds since midnight, or NaN if the time is invalid. A leap second counts as the start of the next minute. */
function secondOfDay(hour: number, minute: number, second: number): number {
  return hour > 23 || minute > 59 || second > 60 ? Number.NaN : (hour * 60 + minute) * 60 + second;
}

function time(year: number, month: string, day: number, second: number): number {
  const index = months.indexOf(month);
  if (index % 3 !== 0) return Number.NaN;
  const date = new Date(0);
  date.setUTCFullYear(year, index / 3, day);
  if (date.getUTCDate() !== day) return Number.NaN;
  return date.getTime() + second * 1000;
}
