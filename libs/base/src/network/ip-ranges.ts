/**
 * IP ranges for trusted proxies and for the matchers `remote_ip` and `client_ip`. A range is an address or a CIDR prefix (RFC 4632).
 * Link-local addresses can have a zone (`fe80::/10%eth0`, `fe80::1%eth0`).
 *
 * As in Caddy, IPv4 and IPv6 are separate. `0.0.0.0/0` contains no IPv6 addresses, and the mapped address `::ffff:1.2.3.4` differs from
 * `1.2.3.4`. Callers must therefore convert socket addresses with `unmapIPv4` first.
 */
import { wordAt } from '../collections/bounded.ts';
import { messageOf } from '../errors.ts';
import { quoted, valueError } from '../values/value-error.ts';
import { parseIPv4, parseIPv6 } from './ip.ts';

export interface IpRange {
  readonly family: 4 | 6;
  /** First address of the range as 32-bit words, most significant word first. IPv4 has one word, and IPv6 has four. */
  readonly first: Uint32Array;
  /** Last address of the range, in the same form as `first`. */
  readonly last: Uint32Array;
  /** Required IPv6 zone. If empty, any zone or no zone matches. */
  readonly zone: string;
}

/** Reports whether an IP address, with an optional zone, is in the ranges. Returns false if the text is not an IP address. */
export type IpMatcher = (address: string) => boolean;

/** Expansion of the Caddyfile shortcut `private_ranges`. Like Caddy, Sluice does not support this shortcut in JSON. */
export const privateRanges: readonly string[] = [
  '192.168.0.0/16',
  '172.16.0.0/12',
  '10.0.0.0/8',
  '127.0.0.1/8',
  'fd00::/8',
  '::1',
];

/** Parses an IP address or a CIDR prefix. Ignores the host bits of a prefix. Throws `ERR_VALUE` if the text is invalid. */
export function parseIpRange(text: string): IpRange {
  const [, address = '', zoneInside = '', bits, zoneBehind = ''] =
    /^([^%/]*)(?:%([^/]*))?(?:\/([^%]*)(?:%(.*))?)?$/s.exec(text) ?? [];
  const words = addressWords(address);
  if (words === null)
    throw valueError(`${quoted(text)} is not an IP address or CIDR range, such as "10.0.0.0/8" or "2001:db8::1"`);
  const width = words.length * 32;
  const length = bits === undefined ? width : prefixLength(bits, width, text);
  return { family: words.length === 1 ? 4 : 6, ...prefixRange(words, length), zone: zoneInside || zoneBehind };
}

function addressWords(text: string): Uint32Array | null {
  const address = parseIPv4(text);
  if (address >= 0) return Uint32Array.of(address);
  const words = new Uint32Array(4);
  return parseIPv6(text, words) ? words : null;
}

function prefixLength(bits: string, width: number, text: string): number {
  const length = /^(?:0|[1-9]\d{0,2})$/.test(bits) ? Number(bits) : Number.NaN;
  if (length <= width) return length;
  throw valueError(`${quoted(text)}: the prefix length after "/" must be a number from 0 to ${width}`);
}

function prefixRange(words: Uint32Array, length: number): Pick<IpRange, 'first' | 'last'> {
  const hostBits = (index: number): number => {
    const kept = Math.min(32, Math.max(0, length - index * 32));
    return kept === 0 ? 0xffffffff : 2 ** (32 - kept) - 1;
  };
  return {
    first: words.map((word, index) => word & ~hostBits(index)),
    last: words.map((word, index) => word | hostBits(index)),
  };
}

/**
 * Compiles IP ranges into a fast matcher for use in request handling. Merges and sorts the ranges, parses addresses without allocation, and
 * searches by bisection. Throws `ERR_VALUE` with the position of an invalid entry.
 */
export function compileRanges(list: readonly string[]): IpMatcher {
  const ranges = list.map((text, index) => {
    try {
      return parseIpRange(text);
    } catch (error) {
      throw valueError(`[${index}]: ${messageOf(error)}`, error);
    }
  });
  const plain = ranges.filter((range) => range.zone === '');
  const zoned = ranges
    .filter((range) => range.zone !== '')
    .map((range) => ({ zone: range.zone, has: searcher([range]) }));
  const has = searcher(plain);
  if (zoned.length === 0) return has;
  return (address) => {
    if (has(address)) return true;
    const percent = address.indexOf('%');
    if (percent < 0) return false;
    const zone = address.slice(percent + 1);
    return zoned.some((entry) => entry.zone === zone && entry.has(address));
  };
}

/** IP address to search for, as 32-bit words. Lookups are synchronous, so they share one buffer. */
const sought = new Uint32Array(4);

/** Returns a matcher for ranges without zones. The matcher ignores the zone of an address. */
function searcher(ranges: readonly IpRange[]): IpMatcher {
  const table4 = mergedTable(ranges.filter((range) => range.family === 4));
  const table6 = mergedTable(ranges.filter((range) => range.family === 6));
  return (address) => {
    const value = parseIPv4(address);
    if (value >= 0) return found4(table4, value);
    const percent = address.indexOf('%');
    const end = percent < 0 ? address.length : percent;
    return table6.length > 0 && parseIPv6(address, sought, end) && found6(table6);
  };
}

/** Merges overlapping ranges and sorts them. Each row of the result contains the words of the first and last address in a range. */
function mergedTable(ranges: readonly IpRange[]): Uint32Array {
  const rows: { first: Uint32Array; last: Uint32Array }[] = [];
  for (const { first, last } of ranges.toSorted((a, b) => compareWords(a.first, b.first))) {
    const row = rows.at(-1);
    if (row === undefined || compareWords(first, row.last) > 0) rows.push({ first, last });
    else if (compareWords(last, row.last) > 0) row.last = last;
  }
  return Uint32Array.from(rows.flatMap(({ first, last }) => [...first, ...last]));
}

function compareWords(a: Uint32Array, b: Uint32Array): number {
  return compareAt(a, b, 0);
}

/** Compares an address with the table row that starts at `offset`. Both consist of 32-bit words. */
function compareAt(words: Uint32Array, table: Uint32Array, offset: number): number {
  for (let w = 0; w < words.length; w++) {
    const difference = wordAt(words, w) - wordAt(table, offset + w);
    if (difference !== 0) return difference;
  }
  return 0;
}

function found4(table: Uint32Array, value: number): boolean {
  let low = 0;
  let high = table.length / 2 - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    if (value < wordAt(table, middle * 2)) high = middle - 1;
    else if (value > wordAt(table, middle * 2 + 1)) low = middle + 1;
    else return true;
  }
  return false;
}

/** Searches the table for the IPv6 address in `sought`, by bisection. */
function found6(table: Uint32Array): boolean {
  let low = 0;
  let high = table.length / 8 - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    if (compareAt(sought, table, middle * 8) < 0) high = middle - 1;
    else if (compareAt(sought, table, middle * 8 + 4) > 0) low = middle + 1;
    else return true;
  }
  return false;
}
