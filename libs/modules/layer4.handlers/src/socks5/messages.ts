/** SOCKS 5 messages (RFC 1928 §4–5). */
import { isIPv4 } from 'node:net';
import { canonicalIPv6, parseIPv4, parseIPv6 } from '@sluice/base';

const version = 5;
const ipv4 = 1;
const domain = 3;
const ipv6 = 4;

export interface SocksRequest {
  readonly command: number;
  readonly host: string;
  readonly port: number;
  /** Length of the SOCKS message in bytes. */
  readonly length: number;
}

/** Parses `bytes[0..end)`. */
export function readRequest(bytes: Buffer, end: number): SocksRequest | 'incomplete' | 'invalid' {
  if (end > 0 && bytes[0] !== version) return 'invalid';
  if (end < 5) return 'incomplete';
  const type = bytes[3];
  const size = type === ipv4 ? 4 : type === ipv6 ? 16 : type === domain ? 1 + (bytes[4] as number) : 0;
  if (size === 0) return 'invalid';
  const length = 4 + size + 2;
  if (end < length) return 'incomplete';
  const address = bytes.subarray(4, 4 + size);
  const host =
    type === ipv4
      ? address.join('.')
      : type === ipv6
        ? canonicalIPv6(address.toString('hex').replace(/(?<=[\da-f])(?=(?:[\da-f]{4})+$)/g, ':'))
        : address.toString('latin1', 1);
  return { command: bytes[1] as number, host, port: bytes.readUInt16BE(4 + size), length };
}

/** Encodes an address type, an address and a port. */
export function addressBytes(address: string, port: number): Buffer {
  const isV4 = isIPv4(address);
  const words = new Uint32Array(4);
  if (isV4) words[0] = parseIPv4(address);
  else parseIPv6(address, words);
  const size = isV4 ? 4 : 16;
  const bytes = Buffer.alloc(1 + size + 2);
  bytes[0] = isV4 ? ipv4 : ipv6;
  for (let i = 0; i < size / 4; i++) bytes.writeUInt32BE(words[i] as number, 1 + 4 * i);
  bytes.writeUInt16BE(port, 1 + size);
  return bytes;
}
