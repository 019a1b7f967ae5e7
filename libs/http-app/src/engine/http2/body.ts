/** The body of an HTTP/2 request: DATA frames, with flow control by the consumer. */
import { ClientGoneError } from '../../errors.ts';
import { RequestBody, type BodySink } from '../../exchange/body.ts';
import { passingTrailers, type HeaderMap, type RequestHead } from '@sluice/http1';
import type { MultiplexedStream } from '../multiplexed-stream.ts';

/** Most bytes that are read and thrown away before the stream is stopped. */
const maxDiscarded = 256 * 1024;
/** Pieces that are kept are joined up to this, in bytes. */
const mostJoined = 16 * 1024;

/** Is told whether the client has to send. */
export interface BodyWatch {
  /** A reader waits for bytes of the body. */
  awaitBody(): void;
  /** So many came; `more` tells whether further ones are wanted. */
  bodyMoved(bytes: number, more: boolean): void;
}

/** Reads a stream. What comes while no one reads is kept, as much of it as the windows allow. */
export class Http2Body extends RequestBody {
  readonly length: number;
  consumed = false;
  trailers: HeaderMap | null = null;
  readonly #stream: MultiplexedStream;
  readonly #expectsContinue: boolean;
  /** Names of the trailers that may come. */
  readonly #announced: string | undefined;
  readonly #watch: BodyWatch;
  /** Pieces that came and were not wanted yet. */
  readonly #kept: Buffer[] = [];
  /** What the last of them lies in, if it was joined of small ones, and may have room for more; `null` for none. */
  #tail: Buffer | null = null;
  #sink: BodySink | null = null;
  #paused = true;
  /** The last frame has come; {@link #complete} is when the reader has it all, too. */
  #ended = false;
  #complete = false;
  #error: Error | null = null;
  /** What may still be thrown away; -1 while the body is for a reader. */
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
    if (this.consumed) throw new Error('the body of the request has a consumer already');
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

  /** Gives what was kept to the reader. */
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

  /** A piece has come. Called by the stream. */
  push(piece: Buffer): void {
    if (this.#discards >= 0) {
      this.#discards -= piece.length;
      this.#stream.credit(piece.length);
      if (this.#discards < 0) this.stop();
    } else if (this.#sink !== null && !this.#paused && this.#kept.length === 0) this.#give(piece);
    else this.#keep(piece);
  }

  /** Small pieces are joined: the windows count bytes, and a client could have a buffer made for each. */
  #keep(piece: Buffer): void {
    const kept = this.#kept;
    const last = kept.at(-1);
    const size = (last?.length ?? 0) + piece.length;
    if (last === undefined || size > mostJoined) {
      kept.push(Buffer.from(piece));
      this.#tail = null;
      return;
    }
    if (this.#tail === null || this.#tail.length < size) {
      this.#tail = Buffer.allocUnsafe(Math.min(mostJoined, 2 * size));
      last.copy(this.#tail);
    }
    piece.copy(this.#tail, last.length);
    kept[kept.length - 1] = this.#tail.subarray(0, size);
  }

  /** The last frame has come. Called by the stream. */
  end(trailers: HeaderMap | null): void {
    this.#ended = true;
    if (trailers !== null) this.trailers = passingTrailers(trailers, this.#announced);
    if (this.#sink !== null && !this.#paused) this.#flow();
    else this.#watch.bodyMoved(0, false);
  }

  /**
   * The exchange is over: reads a bounded rest, then stops the stream. Tells whether there is a rest; who waits for it has
   * enough of it after a while, and calls {@link stop}. Called by the stream.
   */
  discard(): boolean {
    const sink = this.#sink;
    this.#sink = null;
    if (!this.#complete) sink?.onError(new ClientGoneError('the response ended before the request body did'));
    const size = this.#kept.reduce((sum, { length }) => sum + length, 0);
    this.#kept.length = 0;
    this.#discards = Math.max(0, maxDiscarded - size);
    if (size > 0) this.#stream.credit(size);
    return !this.#ended && !this.#stream.closed;
  }

  /** Asks the client not to send the rest, once the response is sent (RFC 9113 §8.1). */
  stop(): void {
    this.#stream.stop();
  }

  /** The client has gone or was too slow. Called by the stream. */
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
