import { ClientGoneError, HttpError } from '../../errors.ts';
import { RequestBody, type BodySink } from '../../exchange/body.ts';
import { ChunkDecoder, passingTrailers, type HeaderMap, type KeptNames } from '@sluice/http1';

/** Interface through which a request body calls its connection. */
export interface BodySource {
  /** Called when a handler starts to read the body. Sends `100 Continue` if the client expects it, and resumes reading. */
  wantBody(): void;
  /** Called when the consumer of the body accepts more data. */
  resumeBody(): void;
}

/** Maximum number of body bytes to discard to keep the connection reusable, as in Caddy. */
const maxDiscarded = 256 * 1024;

const waiting = 0;
const flowing = 1;
const paused = 2;
const discarding = 3;

export interface BodyHead {
  readonly headers: HeaderMap;
  /** Names of trailers to keep even though they contain `_` or `.`. Other trailers with such names are dropped. */
  readonly keptNames: KeptNames;
}

/** The body of an HTTP/1.1 request. The connection pushes raw bytes into it, and it delivers the decoded content to its consumer. */
export class Http1Body extends RequestBody {
  readonly length: number;
  consumed = false;
  /** True if the entire body has been read. */
  complete = false;
  /** True if the rest of the body cannot be read, because its framing is invalid or it is too long to discard. */
  failed = false;
  readonly #source: BodySource;
  readonly #decoder: ChunkDecoder | null;
  /** Trailer names that the client announced in the `Trailer` header. */
  readonly #announced: string | undefined;
  #left: number;
  #state = waiting;
  #sink: BodySink | null = null;
  #error: Error | null = null;
  #discarded = 0;

  constructor(source: BodySource, length: number, chunked: boolean, { keptNames, headers }: BodyHead) {
    super();
    this.#source = source;
    this.length = chunked ? -1 : length;
    this.#left = length;
    this.#announced = chunked ? headers.joined('trailer') : undefined;
    this.#decoder = chunked ? new ChunkDecoder(keptNames) : null;
  }

  get trailers(): HeaderMap | null {
    return this.#announced === undefined ? null : passingTrailers(this.#decoder?.trailers ?? null, this.#announced);
  }

  consume(sink: BodySink): void {
    if (this.consumed) throw new Error('the request body is already being read');
    this.consumed = true;
    if (this.#error !== null) {
      sink.onError(this.#error);
      return;
    }
    this.#sink = sink;
    this.#state = flowing;
    this.#source.wantBody();
  }

  resume(): void {
    if (this.#state !== paused) return;
    this.#state = flowing;
    this.#source.resumeBody();
  }

  /** True if the connection may currently push bytes. */
  get flowing(): boolean {
    return this.#state === flowing || this.#state === discarding;
  }

  /** True if the rest of the body is too long to read and discard. */
  get tooLongToDiscard(): boolean {
    return this.#left > maxDiscarded;
  }

  /** Discards the rest of the body after the exchange. Called by the connection. */
  discard(): void {
    const sink = this.#sink;
    this.#sink = null;
    this.#state = discarding;
    if (this.complete) return;
    if (this.tooLongToDiscard) this.failed = true;
    sink?.onError(new ClientGoneError('the response ended before the request body was complete'));
  }

  /** Fails the body because the client disconnected, was too slow, or sent invalid data. Called by the connection. */
  fail(error: Error): void {
    if (this.complete || this.failed) return;
    this.failed = true;
    this.#error = error;
    const sink = this.#sink;
    this.#sink = null;
    sink?.onError(error);
  }

  /**
   * Consumes the bytes of `bytes` from `from` up to, but not including, `to`. Returns the offset after the consumed bytes. The offset is
   * less than `to` if the body is paused or complete. If `shared` is true, the buffer will be overwritten, so consumers that can't borrow
   * bytes receive copies.
   */
  push(bytes: Buffer, from: number, to: number, shared: boolean): number {
    let i = from;
    while (i < to && this.flowing && !this.complete && !this.failed) {
      i = this.#decoder === null ? this.#pushPlain(bytes, i, to, shared) : this.#pushChunked(bytes, i, to, shared);
    }
    return i;
  }

  #pushPlain(bytes: Buffer, from: number, to: number, shared: boolean): number {
    const end = Math.min(to, from + this.#left);
    this.#left -= end - from;
    this.#deliver(bytes, from, end, shared);
    if (this.#left === 0) this.#finish();
    return end;
  }

  #pushChunked(bytes: Buffer, from: number, to: number, shared: boolean): number {
    const decoder = this.#decoder as ChunkDecoder;
    const next = decoder.next(bytes, from, to);
    if (decoder.end > decoder.start) this.#deliver(bytes, decoder.start, decoder.end, shared);
    if (decoder.done) this.#finish();
    else if (decoder.broken) this.fail(new HttpError(400, 'the chunked request body is malformed'));
    return next;
  }

  #deliver(bytes: Buffer, start: number, end: number, shared: boolean): void {
    if (this.#sink === null) {
      this.#discarded += end - start;
      if (this.#discarded > maxDiscarded) this.failed = true;
      return;
    }
    this.received += end - start;
    const chunk = bytes.subarray(start, end);
    const lends = !shared || this.#sink.borrows === true;
    if (!this.#sink.onData(lends ? chunk : Buffer.from(chunk)) && this.#state === flowing) this.#state = paused;
  }

  #finish(): void {
    this.complete = true;
    const sink = this.#sink;
    this.#sink = null;
    sink?.onEnd();
  }
}
