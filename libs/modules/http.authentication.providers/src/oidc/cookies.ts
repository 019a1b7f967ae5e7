/** Cookies of a sign-in: taken from requests, so that upstreams never see them, and set in chunks if they are large. */
import { HttpError, attachmentKey, type Exchange } from '@sluice/http-app';

/** Names and values, alternating. */
type Taken = string[];

/** Cookies removed from a request, for other handlers with the same cookies. */
const takenKey = attachmentKey<Taken>('oidc.cookies');

/** Maximum length of a cookie's value. Browsers accept 4096 bytes for name, value and attributes (RFC 6265 §6.1). */
const maxChunk = 3800;
const maxChunks = 4;

/** Removes the cookies whose names begin with `base` from a request, and returns all those removed so far. */
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

/** Returns the first cookie of a name; empty if it is missing. */
export function cookieIn(taken: Taken, name: string): string {
  for (let i = 0; i < taken.length; i += 2) if (taken[i] === name) return taken[i + 1] ?? '';
  return '';
}

/** Returns the value of a cookie that may be in chunks; empty if it is missing or incomplete. */
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

/** Sets cookies of one kind, with the same attributes. */
export class CookieWriter {
  readonly #attributes: string;

  constructor(attributes: string) {
    this.#attributes = attributes;
  }

  /** Replaces any cookie of this name that the response already sets. */
  set(exchange: Exchange, name: string, value: string, maxAge: number): void {
    const { headers } = exchange.response;
    const start = `${name}=`;
    const others = headers.all('set-cookie').filter((line) => !line.startsWith(start));
    headers.setAll('set-cookie', [...others, `${start}${value}; Max-Age=${maxAge}${this.#attributes}`]);
  }

  expire(exchange: Exchange, name: string): void {
    this.set(exchange, name, '', 0);
  }

  /** Sets a cookie in as many chunks as it requires, and expires chunks of a longer one that the client sent. */
  setJoined(exchange: Exchange, name: string, value: string, maxAge: number): void {
    const count = Math.ceil(value.length / maxChunk);
    if (count > maxChunks)
      throw new HttpError(
        500,
        `the session of ${value.length} bytes is larger than the limit of ${maxChunk * maxChunks}: use fewer claims`,
      );
    for (let i = 0; i < count; i++) {
      const chunk = value.slice(i * maxChunk, (i + 1) * maxChunk);
      if (i > 0) this.set(exchange, `${name}.${i}`, chunk, maxAge);
      else this.set(exchange, name, count === 1 ? chunk : `${count}.${chunk}`, maxAge);
    }
    this.#expireChunks(exchange, name, count);
  }

  expireJoined(exchange: Exchange, name: string): void {
    this.expire(exchange, name);
    this.#expireChunks(exchange, name, 1);
  }

  #expireChunks(exchange: Exchange, name: string, from: number): void {
    const taken = takeCookies(exchange, name);
    for (let i = Math.max(1, from); i < maxChunks; i++)
      if (cookieIn(taken, `${name}.${i}`) !== '') this.expire(exchange, `${name}.${i}`);
  }
}
