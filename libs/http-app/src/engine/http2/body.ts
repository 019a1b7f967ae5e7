/** The body of an HTTP/2 request: DATA frames, with flow control by the consumer. */
import type { ServerHttp2Stream } from 'node:http2';
import { ClientGoneError } from '../../errors.ts';
import { RequestBody, type BodySink } from '../../exchange/body.ts';
import { HeaderMap } from '../../exchange/headers.ts';

/** Most bytes that are read for nobody before the stream is reset. */
const maxDiscarded = 256 * 1024;

/** Is told whether the client has to send. */
export interface BodyWatch {
  /** Somebody waits for bytes of the body. */
  awaitBody(): void;
  /** So many came; `more` tells whether further ones are wanted. */
  bodyMoved(bytes: number, more: boolean): void;
}

/** Reads a stream. */
export class Http2Body extends RequestBody {
  readonly length: number;
  consumed = false;
  trailers: HeaderMap | null = null;
  readonly #stream: ServerHttp2Stream;
  readonly #expectsContinue: boolean;
  readonly #watch: BodyWatch;
  #complete = false;
  #error: Error | null = null;
  #sink: BodySink | null = null;

  constructor(stream: ServerHttp2Stream, length: number, expectsContinue: boolean, watch: BodyWatch) {
    super();
    this.length = length;
    this.#stream = stream;
    this.#expectsContinue = expectsContinue;
    this.#watch = watch;
    stream.on('trailers', (_headers: unknown, _flags: number, raw?: string[]) => this.#takeTrailers(raw ?? []));
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
    stream.on('data', (chunk: Buffer) => {
      this.received += chunk.length;
      const more = this.#sink?.onData(chunk) !== false;
      if (!more) stream.pause();
      this.#watch.bodyMoved(chunk.length, more);
    });
    stream.on('end', () => this.#finish());
    this.#watch.awaitBody();
  }

  resume(): void {
    this.#watch.awaitBody();
    this.#stream.resume();
  }

  /** The exchange is over: reads a bounded rest, then resets the stream. Called by the stream. */
  discard(): void {
    const sink = this.#sink;
    this.#sink = null;
    const stream = this.#stream;
    sink?.onError(new ClientGoneError('the response ended before the request body did'));
    if (this.#complete || stream.readableEnded || stream.destroyed) return;
    let left = maxDiscarded;
    stream.removeAllListeners('data');
    stream.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) stream.close();
    });
    stream.resume();
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

  #takeTrailers(raw: readonly string[]): void {
    const trailers = new HeaderMap();
    for (let i = 0; i + 1 < raw.length; i += 2) trailers.append(raw[i] as string, raw[i + 1] as string);
    this.trailers = trailers;
  }
}
