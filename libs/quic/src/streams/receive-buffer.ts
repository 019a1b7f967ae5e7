/** Puts bytes that arrive in any order into theirs: the receiving side of streams and of CRYPTO data. */

interface Segment {
  offset: number;
  bytes: Buffer;
}

/** Small segments are copied to a buffer of their own size, so that a peer cannot have a datagram's memory kept by one byte. */
export class ReceiveBuffer {
  /** Ascending and disjoint, all beyond {@link read}. */
  readonly #segments: Segment[] = [];
  /** End of what was delivered. */
  read = 0;
  /** End of the largest offset that has arrived. */
  highest = 0;

  /** Bytes kept out of order. */
  get kept(): number {
    return this.#segments.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  /** Number of separate segments that are kept. */
  get segments(): number {
    return this.#segments.length;
  }

  /**
   * Takes bytes at `offset`. Returns those that are next in order, as a view of `bytes`, or `null` if they are not; then
   * {@link shift} may have more.
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

  /** The next segment that was kept and is in order now, or `null`. */
  shift(): Buffer | null {
    const segments = this.#segments;
    for (;;) {
      const first = segments[0];
      if (first === undefined || first.offset > this.read) return null;
      segments.shift();
      const end = first.offset + first.bytes.length;
      if (end <= this.read) continue;
      const fresh = first.bytes.subarray(this.read - first.offset);
      this.read = end;
      return fresh;
    }
  }

  /** Keeps what of `bytes` is not there yet. */
  #keep(offset: number, bytes: Buffer): void {
    const segments = this.#segments;
    let index = segments.length;
    while (index > 0 && (segments[index - 1] as Segment).offset > offset) index -= 1;
    let start = offset;
    const before = segments[index - 1];
    if (before !== undefined) start = Math.max(start, before.offset + before.bytes.length);
    const end = offset + bytes.length;
    while (start < end) {
      const after = segments[index];
      const stop = after === undefined ? end : Math.min(end, after.offset);
      if (stop > start) {
        segments.splice(index, 0, { offset: start, bytes: Buffer.from(bytes.subarray(start - offset, stop - offset)) });
        index += 1;
      }
      if (after === undefined) return;
      start = Math.max(start, after.offset + after.bytes.length);
      index += 1;
    }
  }

  drop(): void {
    this.#segments.length = 0;
  }
}
