/** Reads the ClientHello of a QUIC connection from its first datagrams, for those who only route it (RFC 9001 §5.2). */
import { initialKeys } from '../crypto/keys.ts';
import { nodeCiphers } from '../crypto/node-ciphers.ts';
import { ByteReader } from '../wire/byte-reader.ts';
import { frameType } from '../wire/frame-type.ts';
import { headerResult, LongHeader, readLongHeader, tagLength } from '../wire/packet-header.ts';
import { packetType, type Version } from '../wire/version.ts';

/** The beginning of a connection. */
export interface FirstFlight {
  readonly version: Version;
  /** The TLS messages that have arrived from the start, without gaps. */
  readonly crypto: Buffer;
}

/** Maximum size of the ClientHello that is looked at, in bytes. */
const maxCrypto = 16 * 1024;
const longHeader = 0x80;

/** Reads the Initial packets in `bytes[0..end)`; `null` if these are not the first datagrams of a client. */
export function readFirstFlight(bytes: Buffer, end: number): FirstFlight | null {
  const reader = new ByteReader();
  const header = new LongHeader();
  const crypto = Buffer.alloc(maxCrypto);
  const pieces: [from: number, to: number][] = [];
  let version: Version | null = null;
  for (let at = 0; at < end; at = header.end) {
    if (((bytes[at] as number) & longHeader) === 0) break;
    if (readLongHeader(reader.reset(bytes, at, end), header) !== headerResult.packet) break;
    if (header.type !== packetType.initial || header.version === null) continue;
    if (!readInitial(bytes, at, header, crypto, pieces)) return null;
    version = header.version;
  }
  return version === null ? null : { version, crypto: crypto.subarray(0, withoutGaps(pieces)) };
}

/** Decrypts a packet into a copy and collects its CRYPTO frames; false if it is not authentic. */
function readInitial(
  bytes: Buffer,
  start: number,
  { version, destination, numberAt, end }: LongHeader,
  crypto: Buffer,
  pieces: [from: number, to: number][],
): boolean {
  if (version === null || numberAt + 4 + tagLength > end) return false;
  const packet = Buffer.from(bytes.subarray(start, end));
  const keys = initialKeys(nodeCiphers, version, destination).client('open');
  try {
    const at = numberAt - start;
    const mask = keys.header.mask(packet, at + 4);
    packet[0] = (packet[0] as number) ^ ((mask[0] as number) & 0x0f);
    const length = ((packet[0] as number) & 3) + 1;
    for (let i = 0; i < length; i++) packet[at + i] = (packet[at + i] as number) ^ (mask[i + 1] as number);
    const payload = at + length;
    const last = packet.length - tagLength;
    const opened = keys.aead.open(packet.readUIntBE(at, length), { bytes: packet, start: 0, payload, end: last });
    return opened && readCrypto(packet, payload, last, crypto, pieces);
  } finally {
    keys.free(true);
  }
}

/** Clients send only PADDING, PING, ACK and CRYPTO before the server responds; others end the search. */
function readCrypto(packet: Buffer, from: number, end: number, crypto: Buffer, pieces: [number, number][]): boolean {
  const reader = new ByteReader().reset(packet, from, end);
  while (reader.left > 0 && !reader.truncated) {
    const type = reader.uint8();
    if (type === frameType.padding || type === frameType.ping) continue;
    if (type !== frameType.crypto) return true;
    const offset = reader.varint();
    const data = reader.take(reader.varint());
    if (reader.truncated || offset + data.length > crypto.length) return false;
    data.copy(crypto, offset);
    pieces.push([offset, offset + data.length]);
  }
  return true;
}

/** Returns the end of what is known from the start. Clients may send the pieces in any order. */
function withoutGaps(pieces: [from: number, to: number][]): number {
  let known = 0;
  for (const [from, to] of pieces.sort(([a], [b]) => a - b)) {
    if (from > known) break;
    known = Math.max(known, to);
  }
  return known;
}
