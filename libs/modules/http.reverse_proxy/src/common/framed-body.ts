/** Where the body of a response ends (RFC 9112 §6.3): by its length, by its last chunk, or with the connection. */
import { ChunkDecoder, type HeaderMap } from '@sluice/http1';

/** The body that a connection reads. One object for all responses of the connection; {@link begin} starts another body. */
export class FramedBody {
  /** The content within the bytes that {@link next} was last given. */
  start = 0;
  end = 0;
  /** Bytes that are to come; -1 if no one knows. */
  #left = 0;
  #decoder: ChunkDecoder | null = null;

  /** A body of so many bytes; -1: of chunks, or as long as the connection. */
  begin(length: number, chunked: boolean): void {
    this.#left = length;
    this.#decoder = chunked ? new ChunkDecoder(null) : null;
  }

  /** Forgets a body that is over. */
  clear(): void {
    this.#left = 0;
    this.#decoder = null;
  }

  /** Takes a run of content, or what frames it, from `bytes[at..end)`. Returns where the next one begins. */
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

  /** Whether all of the body came. */
  get done(): boolean {
    return this.#decoder === null ? this.#left === 0 : this.#decoder.done;
  }

  /** Whether bytes of the body are to come, as far as its length tells. */
  get lasts(): boolean {
    return this.#left !== 0;
  }

  get endsWithConnection(): boolean {
    return this.#decoder === null && this.#left < 0;
  }

  /** Whether what came cannot be chunks. */
  get broken(): boolean {
    return this.#decoder !== null && this.#decoder.broken;
  }

  /** Fields after the last chunk; `null` for none. */
  get trailers(): HeaderMap | null {
    return this.#decoder?.trailers ?? null;
  }
}
