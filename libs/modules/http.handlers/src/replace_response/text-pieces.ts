/** Decodes a body in chunks. A chunk may end within a character. */
import { decodeBytes, encodeBytes, byteAt } from '@sluice/base';
import type { Chunk } from '@sluice/http-app';

const none = Buffer.alloc(0);

/** Converts chunks to text in the same way as {@link decodeBytes}, which preserves invalid UTF-8 bytes. */
export class TextPieces {
  /** Incomplete character. */
  #held: Buffer = none;

  push(chunk: Chunk): string {
    if (typeof chunk === 'string' && this.#held.length === 0) return chunk;
    const bytes = typeof chunk === 'string' ? encodeBytes(chunk) : chunk;
    const all = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    const end = completeEnd(all);
    // Copy the bytes, because the writer may reuse its buffer.
    this.#held = end === all.length ? none : Buffer.from(all.subarray(end));
    return decodeBytes(all.subarray(0, end));
  }

  /** Ends the text. Returns the bytes of an incomplete character at the end, converted to text. */
  end(): string {
    const held = this.#held;
    this.#held = none;
    return decodeBytes(held);
  }
}

/** Returns the start of an incomplete character at the end of the bytes. Returns the length of the bytes if there is none. */
function completeEnd(bytes: Buffer): number {
  const { length } = bytes;
  for (let back = 1; back <= Math.min(3, length); back++) {
    const byte = byteAt(bytes, length - back);
    if (byte < 0x80) return length;
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? length - back : length;
  }
  return length;
}
