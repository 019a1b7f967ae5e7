/** Formats parts of log lines as JSON. Most request data needs no escaping and is copied unchanged. */
import { canonicalHeaderName, flat } from '@sluice/base';
import type { HeaderMap } from '@sluice/http1';

/** Escapes a string for a JSON string literal. Invalid Unicode becomes U+FFFD. */
export function escaped(text: string): string {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code === 0x22 || code === 0x5c || code > 0x7e)
      return JSON.stringify(text.toWellFormed()).slice(1, -1);
  }
  return text;
}

export function quoted(text: string): string {
  return `"${escaped(text)}"`;
}

/** Header fields with credentials. Their values are logged only if the configuration enables the logging of credentials. */
const credentials: ReadonlySet<string> = new Set(['cookie', 'set-cookie', 'authorization', 'proxy-authorization']);

/** Replacement for credentials in logs. */
const redacted = 'REDACTED';

/** Cached JSON `"Name":[` by lowercase field name. The cache is bounded, because clients choose the names. */
const openings = new Map<string, string>();
const maxOpenings = 2048;
const maxNameLength = 64;

function opening(name: string): string {
  return openings.get(name) ?? remember(name);
}

function remember(name: string): string {
  const text = `${quoted(canonicalHeaderName(name))}:[`;
  if (openings.size >= maxOpenings) openings.clear();
  if (name.length <= maxNameLength) openings.set(name, text);
  return text;
}

/** Returns header fields as JSON: `{"Accept":["*\/*"]}`. If a name occurs several times, all its values appear at the first occurrence. */
function headersText(headers: HeaderMap, showCredentials: boolean, without: string | null): string {
  const { names } = headers;
  let text = '{';
  for (let i = 0; i < names.length; i++) {
    const name = headers.nameAt(i);
    if (name === without || names.indexOf(name) < i) continue;
    if (text.length > 1) text += ',';
    text += opening(name);
    if (!showCredentials && credentials.has(name)) text += '"REDACTED"]';
    else {
      // Treat an empty `Content-Type` as missing.
      const value = headers.valueAt(i);
      if (value !== '' || name !== 'content-type') text += quoted(value);
      for (let j = i + 1; j < names.length; j++) if (names[j] === name) text += `,${quoted(headers.valueAt(j))}`;
      text += ']';
    }
  }
  return `${text}}`;
}

/** Returns header fields as an object for a log entry. */
export function headersObject(
  headers: HeaderMap,
  showCredentials: boolean,
  without: string | null,
): Record<string, readonly string[]> {
  const fields: Record<string, string[]> = {};
  for (const [lower, value] of headers) {
    if (lower === without) continue;
    const name = canonicalHeaderName(lower);
    if (!showCredentials && credentials.has(lower)) fields[name] = [redacted];
    else if (value !== '' || lower !== 'content-type') (fields[name] ??= []).push(value.toWellFormed());
    else fields[name] ??= [];
  }
  return fields;
}

interface KnownHeaders {
  readonly names: readonly string[];
  readonly values: readonly string[];
  readonly without: string | null;
  readonly status: number;
  readonly text: string;
}

/** Maximum number of cached header sections. Comparing with a cached section is cheaper than formatting a new one. */
const maxKnown = 8;

/** Formats header fields and caches recent results. Each log has one instance for requests and one for responses. */
export class HeadersText {
  readonly #showCredentials: boolean;
  readonly #opening: (status: number) => string;
  readonly #known: KnownHeaders[] = [];
  #next = 0;

  /** `opening` returns the JSON text that precedes the header fields. */
  constructor(showCredentials: boolean, opening: (status: number) => string) {
    this.#showCredentials = showCredentials;
    this.#opening = opening;
  }

  /** Returns the opening text and the header fields as JSON; see {@link headersText}. `status` is 0 for requests. */
  of(headers: HeaderMap, without: string | null, status: number): string {
    const known = this.#known;
    for (const each of known) {
      if (each.status === status && isSame(each, headers, without)) return each.text;
    }
    const text = flat(this.#opening(status) + headersText(headers, this.#showCredentials, without));
    known[this.#next] = { names: headers.names.slice(), values: headers.values.slice(), without, status, text };
    this.#next = (this.#next + 1) % maxKnown;
    return text;
  }
}

function isSame(known: KnownHeaders, { names, values }: HeaderMap, without: string | null): boolean {
  if (known.names.length !== names.length || known.without !== without) return false;
  // Compare from the end, because the fields in which a client's requests differ usually come last.
  for (let i = names.length - 1; i >= 0; i--)
    if (known.values[i] !== values[i] || known.names[i] !== names[i]) return false;
  return true;
}
