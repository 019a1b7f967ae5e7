/** Converts socket addresses between C (`sockaddr_in`, `sockaddr_in6`) and text form. */
import { textAt } from '../library.ts';
import { Block } from '../memory.ts';
import { system } from './functions.ts';
import { parseIPv4, parseIPv6, wordAt } from '@sluice/base';

/** Address families on Linux, and sizes of their address structures in bytes. */
export const family = { unix: 1, ipv4: 2, ipv6: 10 } as const;
export const addressSize = 28;
/** Size of an address structure in 32-bit words. */
export const addressWords = addressSize / 4;
const ipv4Size = 16;

const words = new Uint32Array(4);

/** Writes an address structure. Returns its size, or 0 if `host` is not an address of the family. */
export function writeAddress(
  bytes: Buffer,
  { host, port, isIPv6 }: { host: string; port: number; isIPv6: boolean },
): number {
  bytes.fill(0, 0, addressSize);
  bytes.writeUInt16BE(port, 2);
  const four = parseIPv4(host);
  if (!isIPv6) {
    if (four < 0) return 0;
    bytes.writeUInt16LE(family.ipv4, 0);
    bytes.writeUInt32BE(four, 4);
    return ipv4Size;
  }
  bytes.writeUInt16LE(family.ipv6, 0);
  if (four >= 0) {
    bytes.writeUInt16BE(0xffff, 18);
    bytes.writeUInt32BE(four, 20);
    return addressSize;
  }
  const zone = host.indexOf('%');
  if (!parseIPv6(host, words, zone < 0 ? host.length : zone)) return 0;
  for (let i = 0; i < 4; i++) bytes.writeUInt32BE(wordAt(words, i), 8 + 4 * i);
  if (zone >= 0) bytes.writeUInt32LE(zoneNumber(host.slice(zone + 1)), 24);
  return addressSize;
}

/** Parses an IPv6 zone, which is an interface name or number. Returns 0 if there is no such interface. */
function zoneNumber(zone: string): number {
  return /^\d{1,9}$/.test(zone) ? Number(zone) : system().if_nametoindex(zone);
}

/** Size of an interface name in bytes, including the terminating null. */
const nameSize = 16;
let namePlace: Block | null = null;

/** Formats the IPv6 address of an address structure. The zone is the name of the interface, as in `node:net`. */
export function ipv6Text(bytes: Buffer): string {
  const host = hostText(bytes, 8, 16);
  const zone = bytes.readUInt32LE(24);
  if (zone === 0 || isMapped(bytes, 8)) return host;
  namePlace ??= new Block(nameSize).pin();
  const name = system().if_indextoname(zone, namePlace.at(0, nameSize));
  return `${host}%${name === 0n ? zone : textAt(name)}`;
}

/** Formats a 4-byte or 16-byte address in network byte order. IPv4-mapped addresses are formatted as IPv4. */
export function hostText(bytes: Buffer, at: number, length: 4 | 16): string {
  if (length === 4) return `${bytes[at]}.${bytes[at + 1]}.${bytes[at + 2]}.${bytes[at + 3]}`;
  if (isMapped(bytes, at)) return hostText(bytes, at + 12, 4);
  const groups = Array.from({ length: 8 }, (_, i) => bytes.readUInt16BE(at + 2 * i).toString(16));
  // Replace the longest run of zeros with `::` (RFC 5952 §4.2).
  let best = -1;
  let bestLength = 1;
  for (let i = 0; i < 8; i++) {
    let end = i;
    while (end < 8 && groups[end] === '0') end += 1;
    if (end - i > bestLength) [best, bestLength] = [i, end - i];
    i = Math.max(i, end - 1);
  }
  if (best < 0) return groups.join(':');
  return `${groups.slice(0, best).join(':')}::${groups.slice(best + bestLength).join(':')}`;
}

function isMapped(bytes: Buffer, at: number): boolean {
  return bytes.readUInt16BE(at + 10) === 0xffff && bytes.readUInt32BE(at + 6) === 0 && bytes.readUInt32BE(at) === 0;
}

/** A peer of a UDP socket. Implements the peer address interface of `@sluice/quic`. */
export class UdpPeer {
  readonly host: string;
  readonly port: number;
  /** Host and port as one string. */
  readonly key: string;
  /** Local address that received the datagram. Empty if the socket is bound to a single address. */
  readonly local: string;
  /** The address structure, followed by the local address in network byte order, which is zero if unspecified. */
  readonly words: Int32Array = new Int32Array(addressWords + 4);
  readonly size: number;
  /** True for IPv4 addresses, including IPv4-mapped IPv6 addresses. */
  readonly isIPv4: boolean;

  /** `address` is a 28-byte buffer with `size` bytes in use. `local` is a 16-byte buffer or `null`. */
  constructor(address: Buffer, size: number, local: Buffer | null) {
    for (let i = 0; i < addressWords; i++) this.words[i] = address.readInt32LE(4 * i);
    this.size = size;
    this.port = address.readUInt16BE(2);
    const isSix = address.readUInt16LE(0) === family.ipv6;
    this.host = isSix ? ipv6Text(address) : hostText(address, 4, 4);
    this.isIPv4 = !isSix || isMapped(address, 8);
    this.key = `${this.host}:${this.port}`;
    this.local = local === null ? '' : isSix ? hostText(local, 0, 16) : hostText(local, 0, 4);
    if (local !== null) for (let i = 0; i < 4; i++) this.words[addressWords + i] = local.readInt32LE(4 * i);
  }
}
