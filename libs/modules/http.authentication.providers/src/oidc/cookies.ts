/**
 * Reads and writes sign-in cookies. They are removed from requests, so that upstreams never receive them. Values that are too large are
 * split into chunks.
 */
import { HttpError, attachmentKey, type Exchange } from '@sluice/http-app';
import type { HeaderMap } from '@sluice/http1';

/** Removed cookies, as alternating names and values. */
type Taken = string[];

/** Attachment with the cookies removed from a request. Other handlers that use the same cookies can read them from this attachment. */
const takenKey = attachmentKey<Taken>('oidc.cookies');

/** Maximum length of a cookie value. Browsers accept at least 4096 bytes for name, value and attributes (RFC 6265 §6.1). */
const maxChunk = 3800;
const maxChunks = 4;

/** Removes all cookies whose name begins with `base` from a request. Returns all cookies that were removed so far. */
export function takeCookies(exchange: Exchange, base: string): Taken {
  const { names, values } = exchange.headers;
  let taken = exchange.attached(takenKey);
  for (let at = names.lastIndexOf('cookie'); at >= 0; at = at === 0 ? -1 : names.lastIndexOf('cookie', at - 1)) {
    const line = values[at] ?? '';
    if (!line.includes(base)) continue;
    if (taken === undefined) exchange.attach(takenKey, (taken = []));
    const kept = takeFrom(line, base, taken);
    if (kept !== '') values[at] = kept;
    else {
      names.splice(at, 1);
      values.splice(at, 1);
    }
  }
  return taken ?? [];
}

/** Moves matching cookies from a `Cookie` line to `taken`. Returns the remaining line. */
function takeFrom(line: string, base: string, taken: Taken): string {
  let kept = '';
  for (let from = 0; from <= line.length;) {
    const semicolon = line.indexOf(';', from);
    const end = semicolon < 0 ? line.length : semicolon;
    const pair = line.slice(from, end).trim();
    const equals = pair.indexOf('=');
    if (equals > 0 && pair.startsWith(base)) taken.push(pair.slice(0, equals), pair.slice(equals + 1));
    else if (pair !== '') kept = kept === '' ? pair : `${kept}; ${pair}`;
    from = end + 1;
  }
  return kept;
}

/** Returns the value of the first cookie with the given name. Returns an empty string if there is none. */
export function cookieIn(taken: Taken, name: string): string {
  for (let i = 0; i < taken.length; i += 2) if (taken[i] === name) return taken[i + 1] ?? '';
  return '';
}

/** Returns the value of a cookie that can be split into chunks. Returns an empty string if the cookie is missing or incomplete. */
export function joinedCookie(taken: Taken, name: string): string {
  const first = cookieIn(taken, name);
  if (first.charCodeAt(1) !== 0x2e /* . */) return first;
  const count = Number(first[0]);
  let value = first.slice(2);
  for (let i = 1; i < count; i++) {
    const next = cookieIn(taken, `${name}.${i}`);
    if (next === '') return '';
    value += next;
  }
  return value;
}

/** Adds `Set-Cookie` lines and removes earlier lines for the same cookies. */
export function putCookies(headers: HeaderMap, lines: readonly string[]): void {
  const starts = lines.map((line) => line.slice(0, line.indexOf('=') + 1));
  const others = headers.all('set-cookie').filter((each) => !starts.some((start) => each.startsWith(start)));
  headers.setAll('set-cookie', [...others, ...lines]);
}

/** Creates `Set-Cookie` lines for cookies that share the same attributes. */
export class CookieLines {
  readonly #attributes: string;

  constructor(attributes: string) {
    this.#attributes = attributes;
  }

  of(name: string, value: string, maxAge: number): string {
    return `${name}=${value}; Max-Age=${maxAge}${this.#attributes}`;
  }

  /** Splits a value into as many cookies as necessary. Deletes chunks that are no longer needed from the browser. */
  joined(taken: Taken, name: string, value: string, maxAge: number): string[] {
    const count = Math.ceil(value.length / maxChunk);
    if (count > maxChunks)
      throw new HttpError(
        500,
        `the session is ${value.length} bytes, but the maximum is ${maxChunk * maxChunks}: expose fewer claims`,
      );
    const lines = [
      this.of(name, count > 1 ? `${count}.${value.slice(0, maxChunk)}` : value, value === '' ? 0 : maxAge),
    ];
    for (let i = 1; i < maxChunks; i++) {
      const chunk = value.slice(i * maxChunk, (i + 1) * maxChunk);
      if (chunk !== '') lines.push(this.of(`${name}.${i}`, chunk, maxAge));
      else if (cookieIn(taken, `${name}.${i}`) !== '') lines.push(this.of(`${name}.${i}`, '', 0));
    }
    return lines;
  }
}
