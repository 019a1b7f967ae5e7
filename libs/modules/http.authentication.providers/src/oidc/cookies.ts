/**
 * Reads and writes sign-in cookies. They are removed from requests, so that upstreams never receive them, and split
 * into chunks if they are too large.
 */
import { HttpError, attachmentKey, type Exchange } from '@sluice/http-app';
import type { HeaderMap } from '@sluice/http1';

/** Alternating names and values. */
type Taken = string[];

/** Cookies removed from a request, for other handlers that use the same ones. */
const takenKey = attachmentKey<Taken>('oidc.cookies');

/** Maximum length of a cookie's value. Browsers accept 4096 bytes for name, value and attributes (RFC 6265 §6.1). */
const maxChunk = 3800;
const maxChunks = 4;

/** Removes cookies with the name prefix `base` from a request, and returns all cookies removed so far. */
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

/** Adds the matching cookies of a line, and returns the line without them. */
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

/** Returns the first cookie with a name; empty if there is no such cookie. */
export function cookieIn(taken: Taken, name: string): string {
  for (let i = 0; i < taken.length; i += 2) if (taken[i] === name) return taken[i + 1] ?? '';
  return '';
}

/** Returns the value of a cookie that may be split into chunks; empty if the cookie is missing or incomplete. */
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

/** Adds Set-Cookie lines, and removes earlier lines for the same cookies. */
export function putCookies(headers: HeaderMap, lines: readonly string[]): void {
  const starts = lines.map((line) => line.slice(0, line.indexOf('=') + 1));
  const others = headers.all('set-cookie').filter((each) => !starts.some((start) => each.startsWith(start)));
  headers.setAll('set-cookie', [...others, ...lines]);
}

/** Creates Set-Cookie lines for cookies with the same attributes. */
export class CookieLines {
  readonly #attributes: string;

  constructor(attributes: string) {
    this.#attributes = attributes;
  }

  of(name: string, value: string, maxAge: number): string {
    return `${name}=${value}; Max-Age=${maxAge}${this.#attributes}`;
  }

  /** Splits a value into as many cookies as necessary, and removes surplus cookies from the client. */
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
