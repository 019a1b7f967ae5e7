/** Splitting and joining `host:port`, where an IPv6 host stands in brackets (RFC 3986 §3.2.2). */
import { SocketAddress, isIPv6 } from 'node:net';
import { quoted, valueError } from '../values/value-error.ts';

/** A host without brackets and a port as text; either may be empty. */
export interface HostPort {
  readonly host: string;
  readonly port: string;
}

/**
 * Splits `host:port`, `[ipv6]:port`, `:port`, `host` and a bare IPv6 address. Without a port, `port` is empty. Throws
 * ERR_VALUE where brackets or colons are astray.
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

/** Joins a host and a port, with brackets around a host that has colons. */
export function joinHostPort(host: string, port: number | string): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** An address of IPv6, without zone, as RFC 5952 writes it. */
export function canonicalIPv6(address: string): string {
  return new SocketAddress({ address, family: 'ipv6' }).address;
}

/**
 * A host in the one form that serves as a key: lower case, IPv6 as RFC 5952 writes it with its zone kept, and empty for
 * every way to say "all interfaces" (empty, `0.0.0.0`, `::`).
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
