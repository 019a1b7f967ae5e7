/** QUIC packet headers (RFC 9000 §17). */
import type { ByteReader } from './byte-reader.ts';
import { packetType, versionOf, type Version } from './version.ts';

/** Length of the connection IDs that Sluice issues, in bytes. */
export const localIdLength = 9;
/** Maximum length of connection IDs in QUIC versions 1 and 2, in bytes. */
export const maxIdLength = 20;
/** Length of the AEAD tag in bytes. It is the same for all QUIC cipher suites. */
export const tagLength = 16;
/** Minimum size in bytes of a datagram with Initial packets from a client (RFC 9000 §14.1). */
export const minInitialDatagram = 1200;

/** Results of {@link readLongHeader}. */
export const headerResult = {
  /** The packet has a supported version. */
  packet: 0,
  /** The packet has an unsupported version. The connection IDs are set (RFC 8999 §5.1). */
  unknownVersion: 1,
  /** The packet is a Version Negotiation packet. The reader is at the start of the list of versions. */
  versionNegotiation: 2,
  invalid: 3,
} as const;

/** Fields of a long header. The object is reusable. */
export class LongHeader {
  version: Version | null = null;
  versionNumber = 0;
  /** Packet type; see {@link packetType}. */
  type: number = packetType.initial;
  destination: Buffer = none;
  source: Buffer = none;
  /** Token of an Initial or Retry packet. */
  token: Buffer = none;
  /** Offset of the packet number, or of the integrity tag in a Retry packet. */
  numberAt = 0;
  end = 0;
}

const none = Buffer.alloc(0);

/** Parses the long header at the position of `reader` into `header`. Returns a {@link headerResult}. */
export function readLongHeader(reader: ByteReader, header: LongHeader): number {
  const first = reader.uint8();
  const number = reader.uint32();
  header.versionNumber = number;
  header.destination = reader.take(reader.uint8());
  header.source = reader.take(reader.uint8());
  header.token = none;
  if (reader.truncated) return headerResult.invalid;
  if (number === 0) return headerResult.versionNegotiation;
  const version = versionOf(number);
  header.version = version;
  if (version === null) return headerResult.unknownVersion;
  if ((first & 0x40) === 0) return headerResult.invalid;
  if (header.destination.length > maxIdLength || header.source.length > maxIdLength) return headerResult.invalid;
  header.type = version.typeBits.indexOf((first >> 4) & 3);
  if (header.type === packetType.retry) return readRetry(reader, header);
  if (header.type === packetType.initial) header.token = reader.take(reader.varint());
  const length = reader.varint();
  header.numberAt = reader.at;
  header.end = reader.at + length;
  return reader.truncated || header.end > reader.end ? headerResult.invalid : headerResult.packet;
}

function readRetry(reader: ByteReader, header: LongHeader): number {
  if (reader.left < tagLength) return headerResult.invalid;
  header.token = reader.take(reader.left - tagLength);
  header.numberAt = reader.at;
  header.end = reader.end;
  return headerResult.packet;
}

/** Reconstructs a packet number from its lowest `length` bytes. `expected` is the next expected packet number (RFC 9000 §A.3). */
export function fullPacketNumber(truncated: number, length: number, expected: number): number {
  const window = 2 ** (8 * length);
  const candidate = expected - (expected % window) + truncated;
  if (candidate <= expected - window / 2 && candidate + window < 2 ** 53) return candidate + window;
  return candidate > expected + window / 2 && candidate >= window ? candidate - window : candidate;
}

/** Returns the encoded length of a packet number. `acked` is the largest acknowledged number, or -1 (RFC 9000 §A.2). */
export function packetNumberLength(number: number, acked: number): number {
  const range = 2 * (number - acked);
  if (range < 0x100) return 1;
  if (range < 0x1_0000) return 2;
  return range < 0x100_0000 ? 3 : 4;
}
