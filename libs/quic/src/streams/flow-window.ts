/** Flow control of what is received (RFC 9000 §4.1): of one stream, or of a connection. */

/** Grants the peer as many bytes again as were consumed, in steps of half a window. */
export class FlowWindow {
  readonly #size: number;
  /** What the peer may send, as an offset from the beginning. */
  limit: number;
  /** What was consumed. */
  consumed = 0;

  constructor(size: number) {
    this.#size = size;
    this.limit = size;
  }

  /** Counts consumed bytes. Returns true if a new {@link limit} is to be announced. */
  consume(bytes: number): boolean {
    this.consumed += bytes;
    if (this.limit - this.consumed > this.#size / 2) return false;
    this.limit = this.consumed + this.#size;
    return true;
  }
}
