/**
 * Buffer for outgoing frames. All connections of a thread take turns using the same buffer. Each connection writes its data with one call,
 * because the number of writes dominates the cost of a response.
 */
import { byteAt } from '@sluice/base';
import { frameHeaderSize } from './frame.ts';

export class Output {
  bytes: Buffer;
  /** Position at which the next byte is written. */
  end = 0;
  readonly #size: number;

  /** `size` is the initial capacity in bytes. */
  constructor(size: number) {
    this.#size = size;
    this.bytes = Buffer.allocUnsafeSlow(size);
  }

  /** Ensures that `more` bytes can be added. */
  reserve(more: number): void {
    if (this.bytes.length - this.end >= more) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.bytes.length, this.end + more));
    this.bytes.copy(larger, 0, 0, this.end);
    this.bytes = larger;
  }

  /** Clears the buffer. If `kept` is true, allocates a new buffer, because the previous bytes are still in use. */
  clear(kept: boolean): void {
    this.end = 0;
    if (kept || this.bytes.length > this.#size) this.bytes = Buffer.allocUnsafeSlow(this.#size);
  }

  frame(length: number, type: number, flags: number, stream: number): void {
    this.frameAt(this.end, length, (type << 8) | flags, stream);
    this.end += frameHeaderSize;
  }

  /** Writes a frame header into reserved space. `kind` contains the type in the high byte and the flags in the low byte. */
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

  /** Writes an HPACK integer after a bit pattern (RFC 7541 §5.1). `mask` selects the integer bits of the first byte. */
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

  latin1(text: string): void {
    this.end += this.bytes.write(text, this.end, 'latin1');
  }

  /** Copies `source[from..end)`. */
  copy(source: Buffer, from: number, end: number): void {
    const { bytes } = this;
    const length = end - from;
    if (length < smallCopy) for (let i = 0; i < length; i++) bytes[this.end + i] = byteAt(source, from + i);
    else source.copy(bytes, this.end, from, end);
    this.end += length;
  }
}

/** Size in bytes below which a loop is faster than a native call. */
const smallCopy = 32;
