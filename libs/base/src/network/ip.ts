/**
 * Parses IP addresses into numbers, strictly and without memory allocation. Rejects leading zeros, abbreviated IPv4 addresses, and octal
 * notation.
 */
import { wordAt } from '../collections/bounded.ts';

/** Values of hexadecimal digits, indexed by character code. -1 for all other characters. */
const hexValues = new Int8Array(128).fill(-1);
for (const [value, digit] of '0123456789abcdef'.split('').entries()) {
  hexValues[digit.charCodeAt(0)] = value;
  hexValues[digit.toUpperCase().charCodeAt(0)] = value;
}

const colon = 0x3a;
const dot = 0x2e;

/** 16-bit groups of the IPv6 address being parsed. Parsing is synchronous, so all calls share one buffer. */
const groups = new Uint16Array(8);

/** Parses the IPv4 address in `text` between `start` and `end` into an unsigned 32-bit integer. Returns -1 if the address is invalid. */
export function parseIPv4(text: string, start = 0, end = text.length): number {
  if (end - start < 7 || end - start > 15) return -1;
  let address = 0;
  let octet = -1;
  let dots = 0;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === dot) {
      if (octet < 0 || ++dots > 3) return -1;
      address = address * 256 + octet;
      octet = -1;
    } else if (code >= 0x30 && code <= 0x39 && octet !== 0) {
      octet = octet < 0 ? code - 0x30 : octet * 10 + code - 0x30;
      if (octet > 255) return -1;
    } else return -1;
  }
  return octet < 0 || dots !== 3 ? -1 : address * 256 + octet;
}

/**
 * Parses an IPv6 address without a zone (RFC 4291 §2.2) in the first `end` characters of `text`. Writes four 32-bit words, most significant
 * word first.
 *
 * If the address is invalid, returns false and leaves `words` unchanged.
 */
export function parseIPv6(text: string, words: Uint32Array, end = text.length): boolean {
  let count = 0;
  let gap = -1;
  let i = 0;
  if (end < 2) return false;
  if (text.charCodeAt(0) === colon) {
    if (text.charCodeAt(1) !== colon) return false;
    gap = 0;
    i = 2;
  }
  while (i < end) {
    if (count === 8) return false;
    const start = i;
    let group = 0;
    for (; i < end; i++) {
      const digit = hexValues[text.charCodeAt(i)] ?? -1;
      if (digit < 0) break;
      if (i - start === 4) return false;
      group = group * 16 + digit;
    }
    if (i === start) return false;
    if (i < end && text.charCodeAt(i) === dot) {
      const tail = count > 6 ? -1 : parseIPv4(text, start, end);
      if (tail < 0) return false;
      groups[count++] = tail >>> 16;
      groups[count++] = tail;
      break;
    }
    groups[count++] = group;
    if (i === end) break;
    if (text.charCodeAt(i++) !== colon || i === end) return false;
    if (text.charCodeAt(i) !== colon) continue;
    if (gap >= 0) return false;
    gap = count;
    i++;
  }
  if (gap < 0 ? count < 8 : count === 8) return false;
  if (gap >= 0) widenGap(gap, count);
  for (let w = 0; w < 4; w++) words[w] = wordAt(groups, w * 2) * 65536 + wordAt(groups, w * 2 + 1);
  return true;
}

/** Moves the groups after `::` to the end, and fills the gap with zeros. */
function widenGap(gap: number, count: number): void {
  const moved = 8 - count;
  groups.copyWithin(gap + moved, gap, count);
  groups.fill(0, gap, gap + moved);
}

/**
 * Converts an IPv4-mapped IPv6 address, which dual-stack sockets report, to IPv4. For example, `::ffff:127.0.0.1` becomes `127.0.0.1`.
 * Returns other addresses unchanged.
 */
export function unmapIPv4(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}
