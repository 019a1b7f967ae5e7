/** Sends a request body over HTTP/3, with backpressure. */
import type { Http3ClientStream } from '@sluice/http3';
import type { BodySink, UpstreamRequest } from '@sluice/http-app';
import { trailerFields } from './http3-fields.ts';

export class Http3Sender implements BodySink {
  readonly borrows = true;
  readonly #stream: Http3ClientStream;
  readonly #request: UpstreamRequest;
  readonly #onFailed: (error: Error) => void;

  /** `onFailed` is called if the body can't be sent completely. */
  constructor(stream: Http3ClientStream, request: UpstreamRequest, onFailed: (error: Error) => void) {
    this.#stream = stream;
    this.#request = request;
    this.#onFailed = onFailed;
  }

  start(): void {
    const { body } = this.#request;
    if (body.length === 0) this.#stream.end(null);
    else body.consume(this);
  }

  resume(): void {
    this.#request.body.resume();
  }

  onData(chunk: Buffer): boolean {
    return this.#stream.ending || this.#stream.write(chunk);
  }

  onEnd(): void {
    const { trailers } = this.#request.body;
    this.#stream.end(trailers === null ? null : trailerFields(trailers));
  }

  onError(error: Error): void {
    this.#onFailed(error);
  }
}
