/** The body of an HTTP/2 request: DATA frames, with flow control by the consumer. */
import type { ServerHttp2Stream } from 'node:http2';
import { guarded, type Guarded } from '@sluice/base';
import { ClientGoneError } from '../../errors.ts';
import { RequestBody, type BodySink } from '../../exchange/body.ts';
import type { HeaderMap } from '@sluice/http1';
import { readTrailers } from './head.ts';

/** Most bytes that are read and thrown away before the stream is reset. */
const maxDiscarded = 256 * 1024;

/** Is told whether the client has to send. */
export interface BodyWatch {
  /** A reader waits for bytes of the body. */
  awaitBody(): void;
  /** So many came; `more` tells whether further ones are wanted. */
  bodyMoved(bytes: number, more: boolean): void;
}

/** What a body is made with. */
export interface Http2BodyOptions {
  /** Bytes as declared; -1 where only the end will tell. */
  readonly length: number;
  readonly expectsContinue: boolean;
  /** Lower-case names with `_` or `.` that are kept in trailers. */
  readonly keptNames: ReadonlySet<string>;
  readonly watch: BodyWatch;
  /** Has what callbacks of the stream, and with them the readers of the body, throw. */
  readonly owner: Guarded;
}

/** Reads a stream. */
export class Http2Body extends RequestBody {
  readonly length: number;
  consumed = false;
  trailers: HeaderMap | null = null;
  readonly #stream: ServerHttp2Stream;
  readonly #owner: Guarded;
  readonly #expectsContinue: boolean;
  readonly #watch: BodyWatch;
  #complete = false;
  #error: Error | null = null;
  #sink: BodySink | null = null;

  constructor(stream: ServerHttp2Stream, { length, expectsContinue, keptNames, watch, owner }: Http2BodyOptions) {
    super();
    this.length = length;
    this.#stream = stream;
    this.#owner = owner;
    this.#expectsContinue = expectsContinue;
    this.#watch = watch;
    stream.on(
      'trailers',
      guarded(owner, (_headers: unknown, _flags: number, raw?: string[]) => {
        const trailers = readTrailers(raw ?? [], keptNames);
        if (trailers.size > 0) this.trailers = trailers;
      }),
    );
  }

  consume(sink: BodySink): void {
    if (this.consumed) throw new Error('the body of the request has a consumer already');
    this.consumed = true;
    if (this.#error !== null) {
      sink.onError(this.#error);
      return;
    }
    this.#sink = sink;
    const stream = this.#stream;
    if (this.#expectsContinue && !stream.headersSent) stream.additionalHeaders({ ':status': 100 });
    stream.on(
      'data',
      guarded(this.#owner, (chunk: Buffer) => {
        this.received += chunk.length;
        const more = this.#sink?.onData(chunk) !== false;
        if (!more) stream.pause();
        this.#watch.bodyMoved(chunk.length, more);
      }),
    );
    // Node ends what can be read also of a stream that was reset, or whose connection is lost. Such a stream is closed by
    // then, while one whose last frame has come stays open for the response.
    stream.on(
      'end',
      guarded(this.#owner, () => {
        if (stream.closed) this.fail();
        else this.#finish();
      }),
    );
    this.#watch.awaitBody();
  }

  resume(): void {
    this.#watch.awaitBody();
    this.#stream.resume();
  }

  /**
   * The exchange is over: reads a bounded rest, then resets the stream. Tells whether there is a rest; who waits for it has
   * enough of it after a while, and calls {@link stop}. Called by the stream.
   */
  discard(): boolean {
    const sink = this.#sink;
    this.#sink = null;
    const stream = this.#stream;
    sink?.onError(new ClientGoneError('the response ended before the request body did'));
    if (this.#complete || stream.readableEnded || stream.destroyed) return false;
    let left = maxDiscarded;
    stream.removeAllListeners('data');
    stream.on(
      'data',
      guarded(this.#owner, (chunk: Buffer) => {
        left -= chunk.length;
        if (left < 0) this.stop();
      }),
    );
    stream.resume();
    return true;
  }

  /** Asks the client not to send the rest, once the response is sent (RFC 9113 §8.1). */
  stop(): void {
    if (!this.#stream.closed) this.#stream.close();
  }

  /** The client has gone or was too slow. Called by the stream. */
  fail(error: Error = new ClientGoneError()): void {
    if (this.#complete || this.#error !== null) return;
    this.#error = error;
    const sink = this.#sink;
    this.#sink = null;
    sink?.onError(error);
  }

  #finish(): void {
    if (this.#error !== null) return;
    this.#complete = true;
    this.#watch.bodyMoved(0, false);
    const sink = this.#sink;
    this.#sink = null;
    sink?.onEnd();
  }
}
