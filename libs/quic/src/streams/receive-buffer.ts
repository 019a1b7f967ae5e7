/** Reassembles the received bytes of streams and CRYPTO data. */
import { itemAt } from '@sluice/base';

interface Segment {
  offset: number;
  bytes: Buffer;
}

/** Count of out-of-order segments that several buffers share. */
export interface SegmentCount {
  value: number;
}

/** Receive buffer. It copies small segments. Otherwise, a peer could make the buffer keep a whole datagram in memory for a single byte. */
export class ReceiveBuffer {
  /** Buffered segments. They are sorted, disjoint, and beyond {@link read}. */
  readonly #segments: Segment[] = [];
  /** Number of bytes delivered so far. */
  read = 0;
  /** Largest received offset. */
  highest = 0;
  readonly #count: SegmentCount;

  /** `count` is shared by all buffers of a connection. */
  constructor(count: SegmentCount = { value: 0 }) {
    this.#count = count;
  }

  /** Number of buffered out-of-order bytes. */
  get kept(): number {
    return this.#segments.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  get segments(): number {
    return this.#segments.length;
  }

  /**
   * Adds bytes at `offset`. Returns a view of the next bytes in order. Returns `null` if they have not arrived yet. After this call, {@link
   * shift} may return more bytes.
   */
  add(offset: number, bytes: Buffer): Buffer | null {
    const end = offset + bytes.length;
    if (end > this.highest) this.highest = end;
    if (end <= this.read) return null;
    if (offset <= this.read) {
      const fresh = offset < this.read ? bytes.subarray(this.read - offset) : bytes;
      this.read = end;
      return fresh;
    }
    this.#keep(offset, bytes);
    return null;
  }

  /** Returns the next buffered segment if it is in order, or `null`. */
  shift(): Buffer | null {
    const segments = this.#segments;
    for (;;) {
      const first = segments[0];
      if (first === undefined || first.offset > this.read) return null;
      segments.shift();
      this.#count.value -= 1;
      const end = first.offset + first.bytes.length;
      if (end <= this.read) continue;
      const fresh = first.bytes.subarray(this.read - first.offset);
      this.read = end;
      return fresh;
    }
  }

  /** Buffers the parts of `bytes` that have not been received before. */
  #keep(offset: number, bytes: Buffer): void {
    const segments = this.#segments;
    let index = segments.length;
    while (index > 0 && itemAt(segments, index - 1).offset > offset) index -= 1;
    let start = offset;
    const before = segments[index - 1];
    if (before !== undefined) start = Math.max(start, before.offset + before.bytes.length);
    const end = offset + bytes.length;
    while (start < end) {
      const after = segments[index];
      const stop = after === undefined ? end : Math.min(end, after.offset);
      if (stop > start) {
        segments.splice(index, 0, { offset: start, bytes: Buffer.from(bytes.subarray(start - offset, stop - offset)) });
        this.#count.value += 1;
        index += 1;
      }
      if (after === undefined) return;
      start = Math.max(start, after.offset + after.bytes.length);
      index += 1;
    }
  }

  drop(): void {
    this.#count.value -= this.#segments.length;
    this.#segments.length = 0;
  }
}
