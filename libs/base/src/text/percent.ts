/**
 * Percent-encoding (RFC 3986 §2.1) with the character sets of Go's net/url. Preserves bytes that are not valid UTF-8; see bytes.ts.
 *
 * Returns the text without a copy if it contains no `%` and, in queries, no `+`.
 */
import { byteAt } from '../collections/bounded.ts';
import { quoted, valueError } from '../values/value-error.ts';
import { decodeBytes, encodeBytes } from './bytes.ts';

const percent = 0x25;

/** Decodes a percent-encoded path. Throws `ERR_VALUE` if `%` is not followed by two hexadecimal digits. */
export function unescapePath(text: string): string {
  return unescapePathOrNull(text) ?? refuse(text);
}

/**
 * Decodes a percent-encoded path like {@link unescapePath}, but returns `null` for an invalid escape. Throwing would be too expensive
 * during request handling.
 */
export function unescapePathOrNull(text: string): string | null {
  return text.includes('%') ? decodeEscapes(text) : text;
}

/** Decodes a query key or value, in which `+` represents a space. Returns `null` for an invalid escape. */
export function unescapeQueryOrNull(text: string): string | null {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  return unescapePathOrNull(spaced);
}

function refuse(text: string): never {
  const at = text.search(/%(?![\da-f]{2})/i);
  throw valueError(
    `bad percent-escape ${quoted(text.slice(at, at + 3))}: "%" must be followed by two hexadecimal digits`,
  );
}

function decodeEscapes(text: string): string | null {
  let result = '';
  let copied = 0;
  for (let at = text.indexOf('%'); at >= 0; at = text.indexOf('%', copied)) {
    const byte = escapedByte(text.charCodeAt(at + 1), text.charCodeAt(at + 2));
    if (byte < 0) return null;
    if (byte > 0x7f) return decodeByteEscapes(text);
    result += text.slice(copied, at) + String.fromCharCode(byte);
    copied = at + 3;
  }
  return result + text.slice(copied);
}

/** Decodes percent-encoded bytes above 0x7f. Several of these bytes form one character. This is the slow path. */
function decodeByteEscapes(text: string): string | null {
  const bytes = encodeBytes(text);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    let byte = byteAt(bytes, i);
    if (byte === percent) {
      byte = escapedByte(bytes[i + 1] ?? Number.NaN, bytes[i + 2] ?? Number.NaN);
      if (byte < 0) return null;
      i += 2;
    }
    bytes[length++] = byte;
  }
  return decodeBytes(bytes.subarray(0, length));
}

/** Returns the byte that two hexadecimal digits represent. Returns -1 if the digits are invalid. A digit is NaN if the text has ended. */
function escapedByte(high: number, low: number): number {
  const h = hexValue(high);
  const l = hexValue(low);
  return h < 0 || l < 0 ? -1 : h * 16 + l;
}

function hexValue(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

// The patterns `[^…]` below match characters that must be escaped, in strings with one character per byte.
const unreserved = 'A-Za-z0-9\\-_.~';
const outsidePath = new RegExp(`[^${unreserved}$&+,/:;=@]`);
const outsideSegment = new RegExp(`[^${unreserved}$&+:=@]`);
const outsideQuery = new RegExp(`[^${unreserved}]`);
const outsideEncodedPath = new RegExp(`[^${unreserved}$&+,/:;=@!'()*[\\]%]`);

/** Encodes a decoded path like Go's `URL.EscapedPath` without a `RawPath`. For example, `/a b;c` becomes `/a%20b;c`. */
export function escapePath(path: string): string {
  return outsidePath.test(path) && path !== '*' ? escapeBytes(path, outsidePath) : path;
}

/** Encodes a path segment like Go's `url.PathEscape`. Unlike {@link escapePath}, also encodes `/`, `;`, and `,`. */
export function escapePathSegment(segment: string): string {
  return outsideSegment.test(segment) ? escapeBytes(segment, outsideSegment) : segment;
}

/** Encodes a query key or value like Go's `url.QueryEscape`. A space becomes `+`. */
export function escapeQuery(text: string): string {
  return outsideQuery.test(text) ? escapeBytes(text, outsideQuery).replaceAll('%20', '+') : text;
}

/**
 * Returns the encoded form of a path, like Go's `URL.EscapedPath`. `rawPath` is the path as received; `path` may have changed since then.
 * If `rawPath` is properly encoded and still decodes to `path`, returns `rawPath`. Otherwise, encodes `path`.
 */
export function escapedPathOf(path: string, rawPath: string): string {
  if (!outsideEncodedPath.test(rawPath) && unescapePathOrNull(rawPath) === path) return rawPath;
  return escapePath(path);
}

function escapeBytes(text: string, outside: RegExp): string {
  let result = '';
  for (const byte of encodeBytes(text)) {
    const character = String.fromCharCode(byte);
    result += outside.test(character) ? (escapes[byte] ?? character) : character;
  }
  return result;
}

/** `%00` to `%FF`. */
const escapes = Array.from({ length: 256 }, (_, byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`);
