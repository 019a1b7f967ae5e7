/** Creates packets that this package never sends, encrypted with the keys of a client. */
import { nodeCiphers, type Connection } from '@sluice/quic';
import type { Simulation } from '@sluice/testing/quic';
import { Keys } from '../src/crypto/keys.ts';
import { aes128Gcm } from '../src/crypto/suite.ts';

/** Encodes a variable-length integer (RFC 9000 §16) in `size` bytes, or in the minimum number of bytes. */
export function integer(value: number | bigint, size = 0): Buffer {
  const wide = BigInt(value);
  const least = wide < 0x40n ? 1 : wide < 0x4000n ? 2 : wide < 0x4000_0000n ? 4 : 8;
  const length = Math.max(size, least);
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(wide);
  const short = bytes.subarray(8 - length);
  short[0] = (short[0] as number) | (Math.log2(length) << 6);
  return short;
}

/** Encodes a frame from its type and its fields, which are integers or bytes. */
export function frame(type: number | bigint, ...fields: readonly (number | bigint | Buffer | string)[]): Buffer {
  return Buffer.concat([
    integer(type),
    ...fields.map((field) =>
      typeof field === 'string' ? Buffer.from(field, 'latin1') : Buffer.isBuffer(field) ? field : integer(field),
    ),
  ]);
}

/** Options of {@link forge}. */
export interface Forging {
  /** Packet number. Default: the next packet number. */
  readonly number?: number;
  /** Bits to set in the first byte of the packet. */
  readonly first?: number;
}

/** Passes a 1-RTT packet with the given payload to the server. */
export function forge(
  simulation: Simulation,
  client: Connection,
  payload: Buffer,
  { number, first = 0 }: Forging = {},
): void {
  const { keys } = client;
  const space = client.spaces[2];
  if (keys === null) throw new Error('the client has no keys yet');
  const id = client.peerIds.id;
  const own = number ?? space.next++;
  const numberAt = 1 + id.length;
  const bytes = Buffer.concat([
    Buffer.of(0x43 | (keys.sealPhase << 2) | first),
    id,
    Buffer.alloc(4),
    payload,
    Buffer.alloc(16),
  ]);
  bytes.writeUInt32BE(own, numberAt);
  const packet = { bytes, start: 0, payload: numberAt + 4, end: bytes.length - 16 };
  keys.seal.aead.seal(own, packet);
  const mask = keys.seal.header.mask(bytes, numberAt + 4);
  bytes[0] = (bytes[0] as number) ^ ((mask[0] as number) & 0x1f);
  for (let i = 0; i < 4; i++) bytes[numberAt + i] = (bytes[numberAt + i] as number) ^ (mask[1 + i] as number);
  const address = simulation.clientAddress;
  simulation.server.receive(bytes, 0, bytes.length, { address, codepoint: 0, now: simulation.clock.now() });
  simulation.server.flush();
}

/** Passes a 0-RTT packet with the given payload to the server, encrypted with an early data secret. */
export function forgeEarlyData(simulation: Simulation, client: Connection, secret: Buffer, payload: Buffer): void {
  const { version, originalDestination, sourceId } = client;
  const keys = Keys.of({ ciphers: nodeCiphers, version, suite: aes128Gcm, direction: 'seal' }, secret);
  const number = client.spaces[2].next++;
  const head = Buffer.concat([
    Buffer.of(0xd3, 0, 0, 0, version.number, originalDestination.length),
    originalDestination,
    Buffer.of(sourceId.length),
    sourceId,
    integer(4 + payload.length + 16, 2),
  ]);
  const numberAt = head.length;
  const bytes = Buffer.concat([head, Buffer.alloc(4), payload, Buffer.alloc(16)]);
  bytes.writeUInt32BE(number, numberAt);
  keys.aead.seal(number, { bytes, start: 0, payload: numberAt + 4, end: bytes.length - 16 });
  const mask = keys.header.mask(bytes, numberAt + 4);
  bytes[0] = (bytes[0] as number) ^ ((mask[0] as number) & 0x0f);
  for (let i = 0; i < 4; i++) bytes[numberAt + i] = (bytes[numberAt + i] as number) ^ (mask[1 + i] as number);
  const address = simulation.clientAddress;
  simulation.server.receive(bytes, 0, bytes.length, { address, codepoint: 0, now: simulation.clock.now() });
  simulation.server.flush();
}
