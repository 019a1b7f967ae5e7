import { wordAt } from '../collections/bounded.ts';
import { parseIPv4, parseIPv6 } from './ip.ts';

const words = new Uint32Array(4);

/** Clears the host bits of an IP address. For example, `192.0.2.17` with 24 bits becomes `192.0.2.0`. Returns other text unchanged. */
export function maskIp(address: string, v4Bits: number, v6Bits: number): string {
  const v4 = parseIPv4(address);
  if (v4 >= 0) {
    const kept = (v4 & maskOf(v4Bits)) >>> 0;
    return [kept >>> 24, (kept >>> 16) & 255, (kept >>> 8) & 255, kept & 255].join('.');
  }
  const zone = address.indexOf('%');
  if (!parseIPv6(zone < 0 ? address : address.slice(0, zone), words)) return address;
  const groups: string[] = [];
  for (let i = 0; i < 4; i++) {
    const kept = (wordAt(words, i) & maskOf(v6Bits - 32 * i)) >>> 0;
    groups.push((kept >>> 16).toString(16), (kept & 0xffff).toString(16));
  }
  // The URL parser produces the canonical IPv6 form (RFC 5952).
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}

/**
 * Returns the network of an IP address in CIDR notation. For example, `192.0.2.17` with 24 bits yields `192.0.2.0/24`. Returns other text
 * unchanged.
 */
export function networkOf(address: string, v4Bits: number, v6Bits: number): string {
  const masked = maskIp(address, v4Bits, v6Bits);
  return masked === address && parseIPv4(address) < 0 && !address.includes(':')
    ? address
    : `${masked}/${masked.includes(':') ? v6Bits : v4Bits}`;
}

/** Returns a 32-bit mask in which the upper `bits` bits are set. */
function maskOf(bits: number): number {
  if (bits <= 0) return 0;
  return bits >= 32 ? 0xffffffff : (0xffffffff << (32 - bits)) >>> 0;
}
