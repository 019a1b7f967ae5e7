/** Splits and joins `host:port` strings, with brackets around IPv6 hosts (RFC 3986 §3.2.2). */
import { SocketAddress, isIPv6 } from 'node:net';
import { quoted, valueError } from '../values/value-error.ts';

/** A host without brackets, and a port as a string. Either string may be empty. */
export interface HostPort {
  readonly host: string;
  readonly port: string;
}

/**
 * Splits `host:port`, `[ipv6]:port`, `:port`, `host`, or a bare IPv6 address. `port` is empty if the text has none. Throws `ERR_VALUE` for
 * misplaced brackets or colons.
 */
export function splitHostPort(text: string): HostPort {
  if (text.startsWith('[')) return splitBracketed(text);
  const colon = text.indexOf(':');
  if (colon < 0) return plainHost(text, '', text);
  if (text.includes(':', colon + 1)) {
    if (isIPv6(text)) return { host: text, port: '' };
    throw valueError(`address ${quoted(text)} has too many colons; write an IPv6 address in brackets: "[::1]:80"`);
  }
  return plainHost(text.slice(0, colon), text.slice(colon + 1), text);
}

function splitBracketed(text: string): HostPort {
  const close = text.indexOf(']');
  const host = text.slice(1, close);
  const rest = text.slice(close + 1);
  if (close < 0 || (rest !== '' && !rest.startsWith(':'))) {
    throw valueError(`address ${quoted(text)}: expected an address, "]" and optionally ":" and a port after "["`);
  }
  return plainHost(host, rest.slice(1), text);
}

function plainHost(host: string, port: string, text: string): HostPort {
  if (/[[\]]/.test(host)) throw valueError(`address ${quoted(text)}: misplaced bracket`);
  return { host, port };
}

/** Joins a host and a port. Encloses the host in brackets if it contains a colon. */
export function joinHostPort(host: string, port: number | string): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Formats an IPv6 address in canonical form (RFC 5952). The address must not contain a zone. */
export function canonicalIPv6(address: string): string {
  return new SocketAddress({ address, family: 'ipv6' }).address;
}

/**
 * Returns the canonical form of a host for use as a key: lowercase, with IPv6 addresses as in RFC 5952, including the zone.
 *
 * Returns an empty string for all addresses that mean "all interfaces" (empty, `0.0.0.0`, `::`).
 */
export function canonicalHost(host: string): string {
  const lower = host.toLowerCase();
  if (lower === '0.0.0.0') return '';
  if (!lower.includes(':') || !isIPv6(lower)) return lower;
  const [address, zone] = lower.split('%') as [string, string?];
  const canonical = canonicalIPv6(address);
  if (canonical === '::') return '';
  return zone === undefined || zone === '' ? canonical : `${canonical}%${zone}`;
}
