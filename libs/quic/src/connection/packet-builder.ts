/** Writes packets one at a time: header, frames and protection (RFC 9000 §17, RFC 9001 §5). */
import type { ConnectionLog } from './connection-log.ts';
import { byteAt, numberAt } from '@sluice/base';
import type { Keys } from '../crypto/keys.ts';
import type { PacketBytes } from '../crypto/protection.ts';
import { SentPacket, type SentFrame } from '../recovery/sent-packets.ts';
import { ByteWriter } from '../wire/byte-writer.ts';
import { packetNumberLength, tagLength } from '../wire/packet-header.ts';
import type { Version } from '../wire/version.ts';

/** Writer shared by all connections of a thread, because packets are written one at a time. */
const writer = new ByteWriter(Buffer.alloc(0));
const packetBytes: PacketBytes = { bytes: writer.bytes, start: 0, payload: 0, end: 0 };

/** Parameters of a packet header. */
export interface PacketHead {
  readonly version: Version;
  /** Packet type; see `packetType`. -1 means a short header. */
  readonly type: number;
  readonly destination: Buffer;
  readonly source: Buffer;
  readonly token: Buffer;
  readonly phase: number;
  readonly number: number;
  /** Largest packet number that the peer has acknowledged in this packet number space. */
  readonly acked: number;
}

export class PacketBuilder {
  readonly writer: ByteWriter = writer;
  /** Records of the packet's frames for loss recovery. */
  frames: SentFrame[] = [];
  ackEliciting = false;
  /** True if the packet contains a PATH_CHALLENGE or PATH_RESPONSE frame. */
  validatesPath = false;
  /** Largest packet number in the packet's ACK frame. */
  acked = -1;
  #start = 0;
  #numberAt = 0;
  #numberLength = 0;
  #lengthAt = -1;
  #payload = 0;
  #limit = 0;
  #number = 0;

  /** Begins a packet at `bytes[at..limit)`. Returns false if there is not enough space for a useful packet. */
  begin(bytes: Buffer, at: number, limit: number, head: PacketHead): boolean {
    writer.bytes = bytes;
    writer.at = at;
    this.#start = at;
    this.#number = head.number;
    this.#numberLength = packetNumberLength(head.number, head.acked);
    this.frames = [];
    this.ackEliciting = this.validatesPath = false;
    this.acked = -1;
    this.#limit = limit - tagLength;
    if (head.type < 0) {
      writer.uint8(0x40 | (head.phase << 2) | (this.#numberLength - 1));
      writer.all(head.destination);
      this.#lengthAt = -1;
    } else this.#longHeader(head);
    this.#numberAt = writer.at;
    for (let i = this.#numberLength - 1; i >= 0; i--) writer.uint8(Math.floor(head.number / 2 ** (8 * i)) & 0xff);
    this.#payload = writer.at;
    return this.room >= 16;
  }

  #longHeader({ version, type, destination, source, token }: PacketHead): void {
    writer.uint8(0xc0 | (numberAt(version.typeBits, type) << 4) | (this.#numberLength - 1));
    writer.uint32(version.number);
    writer.uint8(destination.length);
    writer.all(destination);
    writer.uint8(source.length);
    writer.all(source);
    if (type === 0) {
      writer.varint(token.length);
      writer.all(token);
    }
    this.#lengthAt = writer.at;
    writer.at += 2;
  }

  /** Number of bytes left for frames. */
  get room(): number {
    return this.#limit - writer.at;
  }

  /** True if the packet contains no frames yet. */
  get empty(): boolean {
    return writer.at === this.#payload;
  }

  /** Adds PADDING frames up to the offset `end`. */
  padTo(end: number): void {
    const stop = Math.min(end - tagLength, this.#limit);
    if (writer.at >= stop) return;
    writer.bytes.fill(0, writer.at, stop);
    writer.at = stop;
  }

  /** Logs the packet before it is encrypted. */
  log(log: ConnectionLog, which: number, now: number): void {
    const { bytes, at: end } = writer;
    const size = end + tagLength - this.#start;
    log.packet('sent', { which, number: this.#number, size, bytes, start: this.#payload, end }, now);
  }

  /** Encrypts the packet. Returns its end offset in the buffer. */
  seal(keys: Keys): number {
    // The header protection sample has 16 bytes and begins 4 bytes after the start of the packet number (RFC 9001 §5.4.2).
    const shortest = this.#numberAt + 4;
    while (writer.at < shortest) writer.uint8(0);
    const { bytes, at: end } = writer;
    if (this.#lengthAt >= 0) writer.varint2(end + tagLength - this.#numberAt, this.#lengthAt);
    packetBytes.bytes = bytes;
    packetBytes.start = this.#start;
    packetBytes.payload = this.#payload;
    packetBytes.end = end;
    keys.used += 1;
    keys.aead.seal(this.#number, packetBytes);
    const mask = keys.header.mask(bytes, this.#numberAt + 4);
    const first = this.#start;
    bytes[first] = byteAt(bytes, first) ^ (byteAt(mask, 0) & (this.#lengthAt >= 0 ? 0x0f : 0x1f));
    for (let i = 0; i < this.#numberLength; i++) {
      const place = this.#numberAt + i;
      bytes[place] = byteAt(bytes, place) ^ byteAt(mask, 1 + i);
    }
    return end + tagLength;
  }

  /** Returns the record of the encrypted packet. If `inFlight` is true, the packet counts against the congestion window. */
  record(sentAt: number, end: number, { inFlight, mtuProbe }: { inFlight: boolean; mtuProbe: boolean }): SentPacket {
    const size = inFlight ? end - this.#start : 0;
    const { ackEliciting, acked, frames } = this;
    return new SentPacket({ number: this.#number, sentAt, size }, { ackEliciting, mtuProbe, acked }, frames);
  }
}
