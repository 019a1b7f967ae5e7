/** Cookies of requests. */
import type { HeaderMap } from '@sluice/http1';

/**
 * Returns the first cookie with this name (case-insensitive) and a valid value. RFC 6265 §4.1.1 defines valid values; spaces and commas are
 * also allowed.
 */
export function cookieOf(headers: HeaderMap, name: string): string {
  const header = headers.joined('cookie', '; ');
  if (header === undefined || name === '') return '';
  const wanted = name.toLowerCase();
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals < 0 || pair.slice(0, equals).trim().toLowerCase() !== wanted) continue;
    const text = pair.slice(equals + 1).replace(/[ \t]+$/, '');
    const value = text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
    if (/^[\x20-\x7e]*$/.test(value) && !/["\\]/.test(value)) return value;
  }
  return '';
}
