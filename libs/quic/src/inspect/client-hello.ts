/** Reads the ClientHello of a QUIC connection from its first datagrams. Allows routing without a handshake (RFC 9001 §5.2). */
import { initialKeys } from '../crypto/keys.ts';
import { nodeCiphers } from '../crypto/node-ciphers.ts';
import { ByteReader } from '../wire/byte-reader.ts';
import { frameType } from '../wire/frame-type.ts';
import { headerResult, LongHeader, readLongHeader, tagLength } from '../wire/packet-header.ts';
import { packetType, type Version } from '../wire/version.ts';

/** Result of reading the first datagrams of a connection. */
export interface FirstFlight {
  readonly version: Version;
  /** TLS bytes received from the start of the stream, up to the first gap. */
  readonly crypto: Buffer;
}

/** Maximum size of the ClientHello to read, in bytes. */
const maxCrypto = 16 * 1024;
const longHeader = 0x80;

/** Reads the Initial packets in `bytes[0..end)`. Returns `null` if they are not the first packets of a client. */
export function readFirstFlight(bytes: Buffer, end: number): FirstFlight | null {
  const reader = new ByteReader();
  const header = new LongHeader();
  const stream = new CryptoPieces();
  let version: Version | null = null;
  for (let at = 0; at < end; at = header.end) {
    if (((bytes[at] as number) & longHeader) === 0) break;
    if (readLongHeader(reader.reset(bytes, at, end), header) !== headerResult.packet) break;
    if (header.type !== packetType.initial || header.version === null) continue;
    if (!readInitial(bytes, at, header, stream)) return null;
    version = header.version;
  }
  return version === null ? null : { version, crypto: stream.known };
}

/** Decrypts a packet into a copy and collects its CRYPTO frames. Returns false if the packet is not authentic. */
function readInitial(bytes: Buffer, start: number, header: LongHeader, stream: CryptoPieces): boolean {
  const { version, destination, numberAt, end } = header;
  if (version === null || numberAt + 4 + tagLength > end) return false;
  const packet = Buffer.from(bytes.subarray(start, end));
  const keys = initialKeys(nodeCiphers, version, destination).client('open');
  try {
    const at = numberAt - start;
    const mask = keys.header.mask(packet, at + 4);
    const first = (packet[0] as number) ^ ((mask[0] as number) & 0x0f);
    const length = (first & 3) + 1;
    packet[0] = first;
    for (let i = 0; i < length; i++) packet[at + i] = (packet[at + i] as number) ^ (mask[i + 1] as number);
    const payload = at + length;
    const last = packet.length - tagLength;
    const opened = keys.aead.open(packet.readUIntBE(at, length), { bytes: packet, start: 0, payload, end: last });
    return opened && stream.read(packet, payload, last);
  } finally {
    keys.free(true);
  }
}

/** CRYPTO frames from a client, which may arrive in any order. */
class CryptoPieces {
  readonly #bytes = Buffer.alloc(maxCrypto);
  readonly #pieces: [from: number, to: number][] = [];

  /**
   * Collects the CRYPTO frames in `packet[from..end)`. Returns false if they are invalid. Before the server responds, clients send only
   * PADDING, PING and CRYPTO frames, so any other frame stops the search.
   */
  read(packet: Buffer, from: number, end: number): boolean {
    const reader = new ByteReader().reset(packet, from, end);
    while (reader.left > 0 && !reader.truncated) {
      const type = reader.uint8();
      if (type === frameType.padding || type === frameType.ping) continue;
      if (type !== frameType.crypto) return true;
      const offset = reader.varint();
      const data = reader.take(reader.varint());
      if (reader.truncated || offset + data.length > maxCrypto) return false;
      data.copy(this.#bytes, offset);
      this.#pieces.push([offset, offset + data.length]);
    }
    return true;
  }

  /** Bytes received from the start, up to the first gap. */
  get known(): Buffer {
    let known = 0;
    for (const [from, to] of this.#pieces.toSorted(([a], [b]) => a - b)) {
      if (from > known) break;
      known = Math.max(known, to);
    }
    return this.#bytes.subarray(0, known);
  }
}
