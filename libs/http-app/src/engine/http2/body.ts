/** The body of an HTTP/2 request, received in DATA frames. The flow-control window depends on how fast the consumer reads. */
import { ClientGoneError } from '../../errors.ts';
import { RequestBody, type BodySink } from '../../exchange/body.ts';
import { passingTrailers, type HeaderMap, type RequestHead } from '@sluice/http1';
import type { MultiplexedStream } from '../multiplexed-stream.ts';

/** Maximum number of bytes to discard before the stream is reset. */
const maxDiscarded = 256 * 1024;
/** Maximum size of a buffer that joins several chunks, in bytes. */
const maxJoined = 16 * 1024;

/** Tracks whether the client is expected to send data. */
export interface BodyWatch {
  /** Called when a consumer waits for body bytes. */
  awaitBody(): void;
  /** Called when bytes arrive. `more` is true if the consumer accepts more data. */
  bodyMoved(bytes: number, more: boolean): void;
}

/** Request body of an HTTP/2 stream. Buffers data that arrives before the handler reads it, up to the flow-control window. */
export class Http2Body extends RequestBody {
  readonly length: number;
  consumed = false;
  trailers: HeaderMap | null = null;
  readonly #stream: MultiplexedStream;
  readonly #expectsContinue: boolean;
  /** Trailer names that the client announced in the `Trailer` header. */
  readonly #announced: string | undefined;
  readonly #watch: BodyWatch;
  /** Chunks that arrived before the consumer needed them. */
  readonly #kept: Buffer[] = [];
  /** Buffer of the last queued chunk, if it contains joined chunks and has room for more. Otherwise `null`. */
  #tail: Buffer | null = null;
  #sink: BodySink | null = null;
  #paused = true;
  /** True if the last frame has arrived. {@link #complete} is set once the consumer has received all data. */
  #ended = false;
  #complete = false;
  #error: Error | null = null;
  /** Number of bytes that may still be discarded. -1 while a consumer can read the body. */
  #discards = -1;

  constructor(stream: MultiplexedStream, { headers }: RequestHead, expectsContinue: boolean, watch: BodyWatch) {
    super();
    this.#stream = stream;
    this.length = stream.contentLength;
    this.#announced = headers.joined('trailer');
    this.#expectsContinue = expectsContinue;
    this.#watch = watch;
  }

  consume(sink: BodySink): void {
    if (this.consumed) throw new Error('the request body is already being read');
    this.consumed = true;
    if (this.#error !== null) {
      sink.onError(this.#error);
      return;
    }
    this.#sink = sink;
    if (this.#expectsContinue && !this.#ended && this.#kept.length === 0) this.#stream.interim(continueFields);
    this.resume();
  }

  resume(): void {
    if (this.#complete || this.#error !== null) return;
    if (!this.#ended) this.#watch.awaitBody();
    if (!this.#paused) return;
    this.#paused = false;
    this.#flow();
  }

  #flow(): void {
    const kept = this.#kept;
    while (kept.length > 0 && !this.#paused) this.#give(kept.shift() as Buffer);
    if (kept.length === 0 && !this.#paused && this.#ended) this.#finish();
  }

  #give(piece: Buffer): void {
    this.received += piece.length;
    const more = this.#sink?.onData(piece) !== false;
    this.#stream.credit(piece.length);
    if (!more) this.#paused = true;
    this.#watch.bodyMoved(piece.length, more);
  }

  push(piece: Buffer): void {
    if (this.#discards >= 0) {
      this.#discards -= piece.length;
      this.#stream.credit(piece.length);
      if (this.#discards < 0) this.stop();
    } else if (this.#sink !== null && !this.#paused && this.#kept.length === 0) this.#give(piece);
    else this.#keep(piece);
  }

  /**
   * Queues a chunk and merges small chunks. Flow control counts only bytes, so a client could otherwise force the server to keep one buffer
   * per byte.
   */
  #keep(piece: Buffer): void {
    const kept = this.#kept;
    const last = kept.at(-1);
    const size = (last?.length ?? 0) + piece.length;
    if (last === undefined || size > maxJoined) {
      kept.push(Buffer.from(piece));
      this.#tail = null;
      return;
    }
    if (this.#tail === null || this.#tail.length < size) {
      this.#tail = Buffer.allocUnsafe(Math.min(maxJoined, 2 * size));
      last.copy(this.#tail);
    }
    piece.copy(this.#tail, last.length);
    kept[kept.length - 1] = this.#tail.subarray(0, size);
  }

  end(trailers: HeaderMap | null): void {
    this.#ended = true;
    if (trailers !== null) this.trailers = passingTrailers(trailers, this.#announced);
    if (this.#sink !== null && !this.#paused) this.#flow();
    else this.#watch.bodyMoved(0, false);
  }

  /**
   * Discards a limited amount of remaining data after the exchange, or resets the stream. Returns true if more data is expected. If so, the
   * caller waits before it calls {@link stop}. Called by the stream.
   */
  discard(): boolean {
    const sink = this.#sink;
    this.#sink = null;
    if (!this.#complete) sink?.onError(new ClientGoneError('the response ended before the request body was complete'));
    const size = this.#kept.reduce((sum, { length }) => sum + length, 0);
    this.#kept.length = 0;
    this.#discards = Math.max(0, maxDiscarded - size);
    if (size > 0) this.#stream.credit(size);
    return !this.#ended && !this.#stream.closed;
  }

  /** Asks the client to stop sending the body once the response has been sent (RFC 9113 §8.1). */
  stop(): void {
    this.#stream.stop();
  }

  /** Fails the body because the client disconnected or was too slow. Called by the stream. */
  fail(error: Error = new ClientGoneError()): void {
    if (this.#complete || this.#error !== null) return;
    this.#error = error;
    this.#kept.length = 0;
    const sink = this.#sink;
    this.#sink = null;
    sink?.onError(error);
  }

  #finish(): void {
    if (this.#error !== null || this.#complete) return;
    this.#complete = true;
    this.#watch.bodyMoved(0, false);
    const sink = this.#sink;
    this.#sink = null;
    sink?.onEnd();
  }
}

const continueFields: readonly string[] = [':status', '100'];
