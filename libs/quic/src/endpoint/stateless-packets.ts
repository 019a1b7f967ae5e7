/** Packets of an endpoint that keeps no state for them: Version Negotiation, Retry, stateless reset. */
import { createHmac, randomBytes } from 'node:crypto';
import { retryTag } from '../crypto/retry-tag.ts';
import type { LongHeader } from '../wire/packet-header.ts';
import { packetType, versions, type Version } from '../wire/version.ts';

/** A version that no one speaks, so that clients learn to ignore what they do not know (RFC 9000 §6.3). */
const reservedVersion = 0x0a1a2a3a;

/** RFC 9000 §17.2.1. */
export function versionNegotiation({ destination, source }: LongHeader): Buffer {
  const numbers = [...versions.map(({ number }) => number), reservedVersion];
  const list = Buffer.alloc(4 * numbers.length);
  for (const [i, number] of numbers.entries()) list.writeUInt32BE(number, 4 * i);
  const first = 0x80 | ((randomBytes(1)[0] as number) & 0x7f);
  return Buffer.concat([
    Buffer.from([first, 0, 0, 0, 0, source.length]),
    source,
    Buffer.from([destination.length]),
    destination,
    list,
  ]);
}

/** RFC 9000 §17.2.5. `id`: what the client shall use as destination. */
export function retry(version: Version, { destination, source }: LongHeader, id: Buffer, token: Buffer): Buffer {
  const head = Buffer.alloc(6);
  head[0] = 0xc0 | (version.typeBits[packetType.retry] << 4);
  head.writeUInt32BE(version.number, 1);
  head[5] = source.length;
  const packet = Buffer.concat([head, source, Buffer.from([id.length]), id, token]);
  return Buffer.concat([packet, retryTag(version, destination, packet)]);
}

/** The token that only we can make for a connection id (RFC 9000 §10.3.2). */
export function resetTokenOf(key: Buffer, id: Buffer): Buffer {
  return createHmac('sha256', key).update(id).digest().subarray(0, 16);
}

/** The shortest packet that a stateless reset can pass for (RFC 9000 §10.3). */
const minReset = 21;

/** A stateless reset for a packet of `received` bytes; `null` if it is too short for one. It is shorter, so that two endpoints do not go on for ever. */
export function statelessReset(key: Buffer, id: Buffer, received: number): Buffer | null {
  const size = Math.min(received - 1, 43);
  if (size < minReset) return null;
  const packet = randomBytes(size);
  packet[0] = 0x40 | ((packet[0] as number) & 0x3f);
  resetTokenOf(key, id).copy(packet, size - 16);
  return packet;
}
