/**
 * Frames on their way out. All connections of a thread compose into one buffer, one after the other, and write it in one go:
 * the number of writes decides what a response costs.
 */
import { frameHeaderSize } from './frame.ts';

/** Bytes that are composed. */
export class Output {
  bytes: Buffer;
  /** Where the next byte goes. */
  end = 0;
  readonly #size: number;

  /** `size` is what usually fits, in bytes. */
  constructor(size: number) {
    this.#size = size;
    this.bytes = Buffer.allocUnsafeSlow(size);
  }

  /** Makes room for so many bytes more. */
  reserve(more: number): void {
    if (this.bytes.length - this.end >= more) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.bytes.length, this.end + more));
    this.bytes.copy(larger, 0, 0, this.end);
    this.bytes = larger;
  }

  /** Begins again; `kept` if someone still needs the bytes. */
  clear(kept: boolean): void {
    this.end = 0;
    if (kept || this.bytes.length > this.#size) this.bytes = Buffer.allocUnsafeSlow(this.#size);
  }

  /** Writes the header of a frame. */
  frame(length: number, type: number, flags: number, stream: number): void {
    this.frameAt(this.end, length, (type << 8) | flags, stream);
    this.end += frameHeaderSize;
  }

  /** Writes the header of a frame to where room was left for it. `kind` is the type in its high byte and the flags. */
  frameAt(at: number, length: number, kind: number, stream: number): void {
    const { bytes } = this;
    bytes[at] = length >>> 16;
    bytes[at + 1] = length >>> 8;
    bytes[at + 2] = length;
    bytes[at + 3] = kind >>> 8;
    bytes[at + 4] = kind;
    bytes[at + 5] = stream >>> 24;
    bytes[at + 6] = stream >>> 16;
    bytes[at + 7] = stream >>> 8;
    bytes[at + 8] = stream;
  }

  uint16(value: number): void {
    const { bytes } = this;
    bytes[this.end++] = value >>> 8;
    bytes[this.end++] = value;
  }

  uint32(value: number): void {
    const { bytes } = this;
    bytes[this.end++] = value >>> 24;
    bytes[this.end++] = value >>> 16;
    bytes[this.end++] = value >>> 8;
    bytes[this.end++] = value;
  }

  /** An integer of HPACK after a pattern of bits (RFC 7541 §5.1); `mask` has the bits of the first byte that are the integer's. */
  integer(pattern: number, mask: number, value: number): void {
    const { bytes } = this;
    if (value < mask) {
      bytes[this.end++] = pattern | value;
      return;
    }
    bytes[this.end++] = pattern | mask;
    let rest = value - mask;
    while (rest >= 128) {
      bytes[this.end++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    bytes[this.end++] = rest;
  }

  /** A text of one character per byte. */
  latin1(text: string): void {
    this.end += this.bytes.write(text, this.end, 'latin1');
  }

  /** Bytes `from` to `end` of a buffer. */
  copy(source: Buffer, from: number, end: number): void {
    const { bytes } = this;
    const length = end - from;
    if (length < smallCopy) for (let i = 0; i < length; i++) bytes[this.end + i] = source[from + i] as number;
    else source.copy(bytes, this.end, from, end);
    this.end += length;
  }
}

/** Below this a loop is cheaper than a call. */
const smallCopy = 32;
