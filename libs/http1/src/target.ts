/** Parses request targets (RFC 9112 §3.2) for which splitting at `?` isn't enough. */
import { escapedPathOf, unescapePathOrNull } from '@sluice/base';
import { hexByte, hostByte, targetByte, targetEnd } from './byte-classes.ts';

export interface Target {
  /** Authority from the request target. Empty if the `Host` field applies. */
  readonly host: string;
  readonly rawPath: string;
  readonly query: string | null;
}

/** Reports whether every `%` is followed by two hexadecimal digits. */
export function hasGoodEscapes(text: string): boolean {
  for (let at = text.indexOf('%'); at >= 0; at = text.indexOf('%', at + 3)) {
    if (at + 2 >= text.length) return false;
    if (hexByte[text.charCodeAt(at + 1)] === 255 || hexByte[text.charCodeAt(at + 2)] === 255) return false;
  }
  return true;
}

/** Adds all required escapes to a path. Returns `null` if the path contains an invalid escape. */
export function normalPath(text: string): string | null {
  const path = unescapePathOrNull(text);
  return path === null ? null : escapedPathOf(path, text);
}

/** Parses a request target in origin form, or `*`, as in the HTTP/2 pseudo-header field `:path`. Returns `null` for other targets. */
export function parseOriginForm(text: string): Target | null {
  if (text === '*') return { host: '', rawPath: '*', query: null };
  if (!text.startsWith('/') || !hasOnlyTargetBytes(text)) return null;
  const mark = text.indexOf('?');
  const rawPath = normalPath(mark < 0 ? text : text.slice(0, mark));
  return rawPath === null ? null : { host: '', rawPath, query: mark < 0 ? null : text.slice(mark + 1) };
}

/** Reports whether a `Host` or `:authority` value contains only allowed characters and doesn't consist only of dots. */
export function isHost(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (hostByte[text.charCodeAt(i)] !== 1) return false;
  return !hasOnlyDots(text);
}

/**
 * Reports whether a host, with or without a port, consists only of dots. Such a host isn't a valid name, and `..` would be dangerous in
 * file paths.
 */
export function hasOnlyDots(text: string): boolean {
  let at = 0;
  while (text.charCodeAt(at) === 0x2e) at++;
  return at > 0 && (at === text.length || text[at] === ':');
}

function hasOnlyTargetBytes(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (targetByte[text.charCodeAt(i)] === targetEnd) return false;
  return true;
}

/** Parses a request target that doesn't begin with `/`. Returns `null` if the target is invalid. */
export function parseTarget(method: string, text: string): Target | null {
  if (text === '*') return { host: '', rawPath: '*', query: null };
  if (method === 'CONNECT') return isAuthority(text) ? { host: text, rawPath: '/', query: null } : null;
  return parseAbsolute(text);
}

/**
 * Parses `scheme://[user@]authority/path?query` or `scheme:/path`. The scheme is ignored, because the connection
 * determines it.
 */
function parseAbsolute(text: string): Target | null {
  const colon = text.indexOf(':');
  if (colon < 1 || !isScheme(text, colon) || text[colon + 1] !== '/') return null;
  const mark = text.indexOf('?', colon);
  const query = mark < 0 ? null : text.slice(mark + 1);
  const before = mark < 0 ? text : text.slice(0, mark);
  if (before[colon + 2] !== '/') return absolute('', before.slice(colon + 1), query);
  const slash = before.indexOf('/', colon + 3);
  const authority = before.slice(colon + 3, slash < 0 ? before.length : slash);
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  if (!isAuthority(host) || (at > 0 && !isUserInfo(authority.slice(0, at)))) return null;
  return absolute(host, slash < 0 ? '/' : before.slice(slash), query);
}

function absolute(host: string, path: string, query: string | null): Target | null {
  const rawPath = normalPath(path);
  return rawPath === null ? null : { host, rawPath, query };
}

/** Reports whether a string is a host with an optional numeric port. */
function isAuthority(text: string): boolean {
  if (hasOnlyDots(text)) return false;
  for (let i = 0; i < text.length; i++) if (hostByte[text.charCodeAt(i)] !== 1 || text[i] === '%') return false;
  const close = text.lastIndexOf(']');
  if (text.startsWith('[') ? close < 0 : close >= 0 || text.includes('[')) return false;
  const colon = text.indexOf(':', close + 1);
  if (colon < 0) return close < 0 || close === text.length - 1;
  if (close >= 0 && colon !== close + 1) return false;
  for (let i = colon + 1; i < text.length; i++)
    if (text.charCodeAt(i) < 0x30 || text.charCodeAt(i) > 0x39) return false;
  return true;
}

/**
 * Reports whether a string is allowed before the `@` of an authority (RFC 3986 §3.2.1). The string itself may contain `@`. User information
 * is ignored, but other parsers would end the host at a `\\` or `#`.
 */
function isUserInfo(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (hostByte[code] !== 1 && code !== 0x40) return false;
    if (code === 0x5b || code === 0x5d) return false;
  }
  return hasGoodEscapes(text);
}

/** Reports whether `text[0..end)` is a valid URI scheme (RFC 3986 §3.1). */
function isScheme(text: string, end: number): boolean {
  for (let i = 0; i < end; i++) {
    const code = text.charCodeAt(i);
    const lower = code | 0x20;
    if (lower >= 0x61 && lower <= 0x7a) continue;
    if (i === 0 || !((code >= 0x30 && code <= 0x39) || code === 0x2b || code === 0x2d || code === 0x2e)) return false;
  }
  return true;
}
