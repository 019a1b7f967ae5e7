/** Reads prefixed integers and strings (RFC 9204 §4.1). The input may be incomplete. */
import { byteAt } from '@sluice/base';
import { decodeHuffman } from '@sluice/http2';

/** Maximum number of bits of an integer beyond its prefix. */
const maxShift = 28;

/** A read cursor. Sets {@link truncated} for incomplete input and {@link invalid} for malformed input. */
export class PrefixReader {
  bytes: Buffer = nothing;
  at = 0;
  end = 0;
  truncated = false;
  invalid = false;

  reset(bytes: Buffer, at: number, end: number): this {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
    this.truncated = this.invalid = false;
    return this;
  }

  get failed(): boolean {
    return this.truncated || this.invalid;
  }

  /** Returns the next byte without consuming it. */
  peek(): number {
    if (this.at < this.end) return byteAt(this.bytes, this.at);
    this.truncated = true;
    return 0;
  }

  /** Reads an integer. `mask` selects the prefix bits in the first byte. */
  integer(mask: number): number {
    let value = this.peek() & mask;
    this.at += 1;
    if (value < mask) return value;
    for (let shift = 0; ; shift += 7) {
      if (this.at >= this.end) {
        this.truncated = true;
        return 0;
      }
      if (shift > maxShift - 7) {
        this.invalid = true;
        return 0;
      }
      const byte = byteAt(this.bytes, this.at++);
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }

  /** Reads a string as Latin-1. The bit above `mask` indicates Huffman coding (RFC 7541 §5.2). */
  text(mask: number): string {
    const isCoded = (this.peek() & (mask + 1)) !== 0;
    const length = this.integer(mask);
    if (this.failed) return '';
    const from = this.at;
    if (length > this.end - from) {
      this.truncated = true;
      return '';
    }
    this.at = from + length;
    const text = isCoded
      ? decodeHuffman(this.bytes, from, from + length)
      : this.bytes.toString('latin1', from, from + length);
    if (text === null) this.invalid = true;
    return text ?? '';
  }
}

const nothing = Buffer.alloc(0);
