/**
 * Parses the directives in Cache-Control (RFC 9111 §5.2) and in targeted headers (RFC 9213). Targeted headers are structured fields, so
 * they are parsed strictly.
 */

export const absent = -1;
/** Maximum number of seconds in a directive. Larger values are replaced with this value (RFC 9111 §1.2.2). */
const maxSeconds = 2 ** 31;

export class Directives {
  maxAge: number = absent;
  sharedMaxAge: number = absent;
  staleWhileRevalidate: number = absent;
  staleIfError: number = absent;
  /** Value of the request directive `max-stale`. `Infinity` if the directive is present without a value. */
  maxStale: number = absent;
  minFresh: number = absent;
  noStore = false;
  noCache = false;
  /** Names of headers listed in `no-cache` or `private`. These headers are not stored. */
  fields: string[] | null = null;
  isPrivate = false;
  isPublic = false;
  mustRevalidate = false;
  proxyRevalidate = false;
  mustUnderstand = false;
  immutable = false;
  onlyIfCached = false;
}

export const noDirectives: Directives = Object.freeze(new Directives());

/** Parses a Cache-Control value. Ignores directives that cannot be parsed. */
export function parseDirectives(text: string | undefined): Directives {
  if (text === undefined || text === '') return noDirectives;
  const found = new Directives();
  for (const part of splitList(text)) {
    const equals = part.indexOf('=');
    if (equals < 0) apply(found, part.toLowerCase(), null);
    else apply(found, part.slice(0, equals).toLowerCase(), part.slice(equals + 1));
  }
  return found;
}

const member = /^([a-z*][a-z0-9_\-.*]*)(?:=(-?\d{1,15}(?:\.\d{1,3})?|"[^"\\]*"|\?[01]|[a-z*][!-~]*?))?(?:;[^,]*)?$/i;

/** Parses a targeted header. Returns `null` if it is empty or not a valid structured dictionary (RFC 9213 §2.2). */
export function parseTargeted(text: string): Directives | null {
  const found = new Directives();
  let any = false;
  for (const part of splitList(text)) {
    const parsed = member.exec(part);
    if (parsed === null) return null;
    any = true;
    const name = String(parsed[1]);
    const value = parsed[2] ?? null;
    const isNumber = value !== null && /^-?\d+$/.test(value);
    // A directive whose value has the wrong type makes the whole header invalid.
    if (numeric.has(name) && !isNumber) return null;
    if (value !== '?0') apply(found, name, value === '?1' ? null : value);
  }
  return any ? found : null;
}

const numeric = new Set(['max-age', 's-maxage', 'stale-while-revalidate', 'stale-if-error']);

/** Splits a list at commas outside of quoted strings. */
export function splitList(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let i = 0; i <= text.length; i++) {
    const code = i === text.length ? 0x2c : text.charCodeAt(i);
    if (isQuoted && i < text.length) {
      if (code === 0x5c) i++;
      else if (code === 0x22) isQuoted = false;
    } else if (code === 0x22) isQuoted = true;
    else if (code === 0x2c) {
      const part = text.slice(start, i).trim();
      if (part !== '') parts.push(part);
      start = i + 1;
    }
  }
  return parts;
}

function apply(found: Directives, name: string, value: string | null): void {
  switch (name) {
    case 'max-age':
      found.maxAge = first(found.maxAge, value);
      break;
    case 's-maxage':
      found.sharedMaxAge = first(found.sharedMaxAge, value);
      break;
    case 'stale-while-revalidate':
      found.staleWhileRevalidate = first(found.staleWhileRevalidate, value);
      break;
    case 'stale-if-error':
      found.staleIfError = first(found.staleIfError, value);
      break;
    case 'max-stale':
      found.maxStale = value === null ? Number.POSITIVE_INFINITY : first(found.maxStale, value);
      break;
    case 'min-fresh':
      found.minFresh = first(found.minFresh, value);
      break;
    case 'no-cache':
      if (value === null) found.noCache = true;
      else addFields(found, value);
      break;
    case 'private':
      if (value === null) found.isPrivate = true;
      else addFields(found, value);
      break;
    default:
      applyFlag(found, name);
  }
}

function applyFlag(found: Directives, name: string): void {
  switch (name) {
    case 'no-store':
      found.noStore = true;
      break;
    case 'public':
      found.isPublic = true;
      break;
    case 'must-revalidate':
      found.mustRevalidate = true;
      break;
    case 'proxy-revalidate':
      found.proxyRevalidate = true;
      break;
    case 'must-understand':
      found.mustUnderstand = true;
      break;
    case 'immutable':
      found.immutable = true;
      break;
    case 'only-if-cached':
      found.onlyIfCached = true;
      break;
    default:
  }
}

/** Returns the first of several values for a directive. An invalid value makes the response stale (RFC 9111 §4.2.1). */
function first(earlier: number, value: string | null): number {
  return earlier === absent ? Math.max(0, secondsOf(unquote(value ?? ''))) : earlier;
}

/** Parses a number of seconds. Returns {@link absent} if the text is invalid. */
export function secondsOf(text: string): number {
  return /^\d+$/.test(text) ? Math.min(Number(text), maxSeconds) : absent;
}

function addFields(found: Directives, value: string): void {
  found.fields ??= [];
  for (const name of unquote(value).split(',')) if (name.trim() !== '') found.fields.push(name.trim().toLowerCase());
}

function unquote(text: string): string {
  return text.length >= 2 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}
