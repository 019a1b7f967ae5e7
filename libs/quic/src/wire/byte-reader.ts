/** Reads QUIC integers and byte strings (RFC 9000 §16). */
import { byteAt } from '@sluice/base';

/**
 * A reusable read cursor over a buffer. Reading past the end returns 0 and sets {@link truncated}, so a parser needs only one check per
 * structure.
 */
export class ByteReader {
  bytes: Buffer = empty;
  at = 0;
  end = 0;
  truncated = false;

  /** Resets the cursor to `bytes[at..end)`. */
  reset(bytes: Buffer, at: number, end: number): this {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
    this.truncated = false;
    return this;
  }

  get left(): number {
    return this.end - this.at;
  }

  uint8(): number {
    return this.#has(1) ? byteAt(this.bytes, this.at++) : 0;
  }

  uint32(): number {
    if (!this.#has(4)) return 0;
    const value = this.bytes.readUInt32BE(this.at);
    this.at += 4;
    return value;
  }

  /**
   * Reads a variable-length integer. Values above 2^53 lose precision, but actual limits and offsets never get that large. Results stay
   * below 2^62, so that they can be encoded again.
   */
  varint(): number {
    if (!this.#has(1)) return 0;
    const { bytes, at } = this;
    const first = byteAt(bytes, at);
    switch (first >> 6) {
      case 0:
        this.at += 1;
        return first;
      case 1:
        if (!this.#has(2)) return 0;
        this.at += 2;
        return ((first & 0x3f) << 8) | byteAt(bytes, at + 1);
      case 2:
        if (!this.#has(4)) return 0;
        this.at += 4;
        return bytes.readUInt32BE(at) & 0x3fffffff;
      default:
        if (!this.#has(8)) return 0;
        this.at += 8;
        return Math.min((bytes.readUInt32BE(at) & 0x3fffffff) * 0x1_0000_0000 + bytes.readUInt32BE(at + 4), maxInteger);
    }
  }

  /** Reads a stream count. Returns -1 if it exceeds 2^60 (RFC 9000 §4.6). */
  streams(): number {
    const { at, bytes } = this;
    const value = this.varint();
    if (value < 2 ** 60 || this.truncated) return value;
    return value > 2 ** 60 || bytes.readUInt32BE(at + 4) > 0 ? -1 : value;
  }

  /** Returns a view of the next `length` bytes. The view stays valid as long as the buffer does. */
  take(length: number): Buffer {
    if (!this.#has(length)) return empty;
    const view = this.bytes.subarray(this.at, this.at + length);
    this.at += length;
    return view;
  }

  #has(length: number): boolean {
    if (this.at + length <= this.end) return true;
    this.truncated = true;
    this.at = this.end;
    return false;
  }
}

/** Largest JavaScript number below 2^62. */
const maxInteger = 2 ** 62 - 512;
const empty = Buffer.alloc(0);
