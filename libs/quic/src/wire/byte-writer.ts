/** Writes QUIC integers and byte strings (RFC 9000 §16). */
import { byteAt } from '@sluice/base';

/** Returns the encoded size of a variable-length integer, in bytes. */
export function varintSize(value: number): number {
  if (value < 0x40) return 1;
  if (value < 0x4000) return 2;
  return value < 0x4000_0000 ? 4 : 8;
}

/** A write cursor over a buffer. The caller must ensure that there is enough space. */
export class ByteWriter {
  bytes: Buffer;
  at: number;

  constructor(bytes: Buffer, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  uint8(value: number): void {
    this.bytes[this.at++] = value;
  }

  uint32(value: number): void {
    this.bytes.writeUInt32BE(value >>> 0, this.at);
    this.at += 4;
  }

  varint(value: number): void {
    const { bytes, at } = this;
    if (value < 0x40) {
      bytes[at] = value;
      this.at = at + 1;
    } else if (value < 0x4000) {
      bytes[at] = 0x40 | (value >> 8);
      bytes[at + 1] = value & 0xff;
      this.at = at + 2;
    } else if (value < 0x4000_0000) {
      bytes.writeUInt32BE(value + 0x8000_0000, at);
      this.at = at + 4;
    } else {
      bytes.writeUInt32BE(Math.floor(value / 0x1_0000_0000) + 0xc000_0000, at);
      bytes.writeUInt32BE(value % 0x1_0000_0000, at + 4);
      this.at = at + 8;
    }
  }

  /** Writes a variable-length integer in two bytes regardless of its value. Used for lengths that are known only later. */
  varint2(value: number, at: number): void {
    this.bytes[at] = 0x40 | (value >> 8);
    this.bytes[at + 1] = value & 0xff;
  }

  copy(source: Buffer, start: number, end: number): void {
    const { bytes } = this;
    const length = end - start;
    // For fewer than about 40 bytes, a loop is faster than a native call.
    if (length <= 40) {
      let { at } = this;
      for (let i = start; i < end; i++) bytes[at++] = byteAt(source, i);
      this.at = at;
      return;
    }
    source.copy(bytes, this.at, start, end);
    this.at += length;
  }

  all(source: Buffer): void {
    this.copy(source, 0, source.length);
  }
}
