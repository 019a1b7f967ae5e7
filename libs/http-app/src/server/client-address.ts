/** Determines the client IP, which is either the peer address or an address reported by a trusted proxy. */
import { isIP } from 'node:net';
import { canonicalIPv6 } from '@sluice/base';
import type { Addressed } from '../exchange/addressed.ts';
import type { IpSource } from '../options.ts';

export interface ClientAddressOptions {
  /** Source of trusted proxy ranges; `null` if no proxy is trusted. */
  readonly trusted: IpSource | null;
  readonly trustUnix: boolean;
  /** Lowercase names of header fields that contain the client IP, in order of preference. */
  readonly fields: readonly string[];
  /** True to scan each field from right to left and use the first untrusted address. */
  readonly strict: boolean;
}

export class ClientAddress {
  readonly #options: ClientAddressOptions;

  constructor(options: ClientAddressOptions) {
    this.#options = options;
  }

  /** Reports whether the peer of a connection is a trusted proxy. */
  isTrusted({ connection }: Addressed): boolean {
    if (connection.unix) return this.#options.trustUnix;
    return this.#options.trusted?.contains(connection.remoteAddress) ?? false;
  }

  /** Returns the client IP, without a port. */
  of(exchange: Addressed): string {
    const peer = exchange.connection.remoteAddress;
    if (!this.isTrusted(exchange)) return peer;
    for (const field of this.#options.fields) {
      const text = exchange.headers.joined(field);
      if (text === undefined || text === '') continue;
      const address = this.#options.strict ? this.#rightmost(text) : leftmost(text);
      if (address !== null) return address;
    }
    return peer;
  }

  #rightmost(text: string): string | null {
    for (const part of text.split(',').reverse()) {
      const address = addressOf(part);
      if (address === null) continue;
      if (this.#options.trusted?.contains(address) !== true) return address;
    }
    return null;
  }
}

function leftmost(text: string): string | null {
  for (const part of text.split(',')) {
    const address = addressOf(part);
    if (address !== null) return address;
  }
  return null;
}

/**
 * Parses an address and drops the port or zone: `1.2.3.4:80`, `[2001:db8::1]:80`, `fe80::1%eth0`. IPv6 addresses are normalized (RFC 5952),
 * so that each client has exactly one address.
 */
function addressOf(part: string): string | null {
  const text = part.trim();
  const host = /^\[([^\]]+)\]:\d*$/.exec(text)?.[1] ?? /^([^:]+):\d*$/.exec(text)?.[1] ?? text;
  const zone = host.indexOf('%');
  const address = zone < 0 ? host : host.slice(0, zone);
  const version = isIP(address);
  if (version === 0) return null;
  return version === 4 ? address : canonicalIPv6(address);
}
