/** End of a response body (RFC 9112 §6.3), determined by the length, the last chunk, or the end of the connection. */
import { ChunkDecoder, type HeaderMap } from '@sluice/http1';

/**
 * The body that is being read from a connection. One object is used for all responses; {@link begin} starts the next
 * body.
 */
export class FramedBody {
  /** Offsets of the content in the bytes last passed to {@link next}. */
  start = 0;
  end = 0;
  /** Remaining bytes; -1 if unknown. */
  #left = 0;
  #decoder: ChunkDecoder | null = null;

  /** Starts a body of `length` bytes; -1 means chunked, or until the connection ends. */
  begin(length: number, chunked: boolean): void {
    this.#left = length;
    this.#decoder = chunked ? new ChunkDecoder(null) : null;
  }

  clear(): void {
    this.#left = 0;
    this.#decoder = null;
  }

  /** Reads a range of content or framing from `bytes[at..end)`. Returns the start of the next one. */
  next(bytes: Buffer, at: number, end: number): number {
    const decoder = this.#decoder;
    if (decoder !== null) {
      const next = decoder.next(bytes, at, end);
      this.start = decoder.start;
      this.end = decoder.end;
      return next;
    }
    this.start = at;
    if (this.#left < 0) return (this.end = end);
    const next = (this.end = Math.min(end, at + this.#left));
    this.#left -= next - at;
    return next;
  }

  /** True if the complete body has arrived. */
  get done(): boolean {
    return this.#decoder === null ? this.#left === 0 : this.#decoder.done;
  }

  /** True if more body bytes are expected according to the body length. */
  get lasts(): boolean {
    return this.#left !== 0;
  }

  get endsWithConnection(): boolean {
    return this.#decoder === null && this.#left < 0;
  }

  /** True if the chunked framing is invalid. */
  get broken(): boolean {
    return this.#decoder !== null && this.#decoder.broken;
  }

  /** Trailer fields; `null` for none. */
  get trailers(): HeaderMap | null {
    return this.#decoder?.trailers ?? null;
  }
}
