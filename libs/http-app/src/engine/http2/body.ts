/** The body of an HTTP/2 request: DATA frames, with flow control by the consumer. */
import type { ServerHttp2Stream } from 'node:http2';
import { guarded, type Guarded } from '@sluice/registry';
import { ClientGoneError } from '../../errors.ts';
import { RequestBody, type BodySink } from '../../exchange/body.ts';
import { HeaderMap } from '../../exchange/headers.ts';

/** Most bytes that are read for nobody before the stream is reset. */
const maxDiscarded = 256 * 1024;

/** Reads a stream. */
export class Http2Body extends RequestBody {
  readonly length: number;
  consumed = false;
  trailers: HeaderMap | null = null;
  readonly #stream: ServerHttp2Stream;
  readonly #owner: Guarded;
  readonly #expectsContinue: boolean;
  #complete = false;
  #error: Error | null = null;
  #sink: BodySink | null = null;

  /** `owner` has what callbacks of the stream, and with them the readers of the body, throw. */
  constructor(stream: ServerHttp2Stream, owner: Guarded, length: number, expectsContinue: boolean) {
    super();
    this.length = length;
    this.#stream = stream;
    this.#owner = owner;
    this.#expectsContinue = expectsContinue;
    stream.on(
      'trailers',
      guarded(owner, (_headers: unknown, _flags: number, raw?: string[]) => this.#takeTrailers(raw ?? [])),
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
        if (this.#sink?.onData(chunk) === false) stream.pause();
      }),
    );
    stream.on(
      'end',
      guarded(this.#owner, () => this.#finish()),
    );
  }

  resume(): void {
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
    stream.on(
      'data',
      guarded(this.#owner, (chunk: Buffer) => {
        left -= chunk.length;
        if (left < 0) stream.close();
      }),
    );
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
