/** Packets that are sent without connection state: Version Negotiation, Retry and stateless reset. */
import { byteAt } from '@sluice/base';
import { createHmac, randomBytes } from 'node:crypto';
import { retryTag } from '../crypto/retry-tag.ts';
import type { LongHeader } from '../wire/packet-header.ts';
import { packetType, versions, type Version } from '../wire/version.ts';

/** Reserved version that is included in the list, so that clients exercise version negotiation (RFC 9000 §6.3). */
const reservedVersion = 0x0a1a2a3a;

/** Returns a Version Negotiation packet (RFC 9000 §17.2.1). */
export function versionNegotiation({ destination, source }: LongHeader): Buffer {
  const numbers = [...versions.map(({ number }) => number), reservedVersion];
  const list = Buffer.alloc(4 * numbers.length);
  for (const [i, number] of numbers.entries()) list.writeUInt32BE(number, 4 * i);
  const first = 0x80 | (byteAt(randomBytes(1), 0) & 0x7f);
  return Buffer.concat([
    Buffer.from([first, 0, 0, 0, 0, source.length]),
    source,
    Buffer.from([destination.length]),
    destination,
    list,
  ]);
}

/** Returns a Retry packet (RFC 9000 §17.2.5). `id` is the destination connection ID that the client must use. */
export function retry(version: Version, { destination, source }: LongHeader, id: Buffer, token: Buffer): Buffer {
  const head = Buffer.alloc(6);
  head[0] = 0xc0 | (version.typeBits[packetType.retry] << 4);
  head.writeUInt32BE(version.number, 1);
  head[5] = source.length;
  const packet = Buffer.concat([head, source, Buffer.from([id.length]), id, token]);
  return Buffer.concat([packet, retryTag(version, destination, packet)]);
}

/** Returns the stateless reset token of a connection ID, derived from a secret key (RFC 9000 §10.3.2). */
export function resetTokenOf(key: Buffer, id: Buffer): Buffer {
  return createHmac('sha256', key).update(id).digest().subarray(0, 16);
}

/** Minimum size of a stateless reset, in bytes (RFC 9000 §10.3). */
const minReset = 21;

/**
 * Returns a stateless reset in response to a packet of `received` bytes. The reset is shorter than that packet, which prevents loops
 * between two endpoints. Returns `null` if the packet is too short.
 */
export function statelessReset(key: Buffer, id: Buffer, received: number): Buffer | null {
  const size = Math.min(received - 1, 43);
  if (size < minReset) return null;
  const packet = randomBytes(size);
  packet[0] = 0x40 | (byteAt(packet, 0) & 0x3f);
  resetTokenOf(key, id).copy(packet, size - 16);
  return packet;
}
