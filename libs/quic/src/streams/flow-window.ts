/** Receive flow control of a stream or a connection (RFC 9000 §4.1). */

/** A receive window. It grants new credit as bytes are consumed, in steps of half a window. */
export class FlowWindow {
  readonly #size: number;
  /** Advertised limit, as an offset in the stream or connection. */
  limit: number;
  /** Number of bytes consumed so far. */
  consumed = 0;

  constructor(size: number) {
    this.#size = size;
    this.limit = size;
  }

  /** Counts consumed bytes. Returns true if a new {@link limit} must be advertised. */
  consume(bytes: number): boolean {
    this.consumed += bytes;
    if (this.limit - this.consumed > this.#size / 2) return false;
    this.limit = this.consumed + this.#size;
    return true;
  }
}
