/** Parses PROXY protocol version 2, a binary format. Extensions after the addresses are skipped. */
import type { HeaderResult, ProxiedAddresses } from './header-result.ts';
import { plainIPv6 } from './plain-ipv6.ts';

export const version2Signature: Buffer = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');

/** Size of the fixed part of the header, in bytes: signature, version and command, address family, length. */
const fixedLength = 16;
/** Maximum number of bytes after the fixed part, as in Caddy. */
const maxLength = 4096;
/** Size of a Unix socket path field, in bytes. */
const pathLength = 108;

/** Parses a version 2 header with a valid signature. The header may be incomplete. */
export function parseVersion2(bytes: Buffer, end: number): HeaderResult {
  if (end < fixedLength) return 'incomplete';
  const version = bytes.readUInt8(12) >> 4;
  const command = bytes.readUInt8(12) & 0x0f;
  const family = bytes.readUInt8(13) >> 4;
  const transport = bytes.readUInt8(13) & 0x0f;
  const rest = bytes.readUInt16BE(14);
  if (version !== 2 || command > 1 || rest > maxLength) return 'malformed';
  const length = fixedLength + rest;
  const local = command === 0;
  if (!local && (transport < 1 || transport > 2 || rest < addressesLength(family))) return 'malformed';
  if (end < length) return 'incomplete';
  return { length, addresses: local ? null : addressesOf(bytes, family) };
}

/** Returns the size of the address block for an address family. For an unknown family, returns a size that is always rejected. */
function addressesLength(family: number): number {
  if (family === 1) return 12;
  if (family === 2) return 36;
  return family === 3 ? 2 * pathLength : Number.POSITIVE_INFINITY;
}

function addressesOf(bytes: Buffer, family: number): ProxiedAddresses {
  if (family === 3) {
    return {
      remoteAddress: pathAt(bytes, fixedLength),
      remotePort: 0,
      localAddress: pathAt(bytes, fixedLength + pathLength),
      localPort: 0,
    };
  }
  const size = family === 1 ? 4 : 16;
  const read = family === 1 ? ipv4At : ipv6At;
  return {
    remoteAddress: read(bytes, fixedLength),
    localAddress: read(bytes, fixedLength + size),
    remotePort: bytes.readUInt16BE(fixedLength + 2 * size),
    localPort: bytes.readUInt16BE(fixedLength + 2 * size + 2),
  };
}

function ipv4At(bytes: Buffer, at: number): string {
  return `${bytes[at]}.${bytes[at + 1]}.${bytes[at + 2]}.${bytes[at + 3]}`;
}

function ipv6At(bytes: Buffer, at: number): string {
  const groups: string[] = [];
  for (let group = 0; group < 8; group++) groups.push(bytes.readUInt16BE(at + 2 * group).toString(16));
  return plainIPv6(groups.join(':'));
}

function pathAt(bytes: Buffer, at: number): string {
  const path = bytes.subarray(at, at + pathLength);
  const nul = path.indexOf(0);
  return path.toString('latin1', 0, nul < 0 ? pathLength : nul);
}
