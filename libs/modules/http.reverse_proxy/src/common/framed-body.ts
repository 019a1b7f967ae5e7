/** Detects the end of a response body (RFC 9112 §6.3). The length, the last chunk, or the end of the connection determines the end. */
import { ChunkDecoder, type HeaderMap } from '@sluice/http1';

/**
 * Framing of the response body that is being read from a connection. One object serves all responses of the connection: call {@link begin}
 * for each body.
 */
export class FramedBody {
  /** Start offset of the content in the bytes last passed to {@link next}. */
  start = 0;
  end = 0;
  /** Remaining number of body bytes, or -1 if unknown. */
  #left = 0;
  #decoder: ChunkDecoder | null = null;

  /** Starts a body of `length` bytes. -1 means that the body is chunked or continues until the connection ends. */
  begin(length: number, chunked: boolean): void {
    this.#left = length;
    this.#decoder = chunked ? new ChunkDecoder(null) : null;
  }

  clear(): void {
    this.#left = 0;
    this.#decoder = null;
  }

  /** Parses the next range of content or framing in `bytes[at..end)`. Returns the end of this range. */
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

  /** True if the complete response body has arrived. */
  get done(): boolean {
    return this.#decoder === null ? this.#left === 0 : this.#decoder.done;
  }

  /** True if more bytes are needed to reach the body length. */
  get lasts(): boolean {
    return this.#left !== 0;
  }

  get endsWithConnection(): boolean {
    return this.#decoder === null && this.#left < 0;
  }

  /** True if the chunked framing of the response body is invalid. */
  get broken(): boolean {
    return this.#decoder !== null && this.#decoder.broken;
  }

  /** Trailer fields, or `null` if there are none. */
  get trailers(): HeaderMap | null {
    return this.#decoder?.trailers ?? null;
  }
}
