/** A response composed in the same way as by the HTTP engine, but not sent to a client. */
import type { HeaderMap } from '@sluice/http1';
import {
  type Chunk,
  type RequestLine,
  ResponseWriter,
  type SentHead,
  unconnectedResponse,
  type UnconnectedResponse,
} from '@sluice/http-app';

export abstract class ComposedResponse extends ResponseWriter {
  readonly headers: HeaderMap;
  /** Number of body bytes that the client would receive. */
  size = 0;
  protected readonly wire: UnconnectedResponse;

  constructor(request: RequestLine) {
    super();
    this.wire = unconnectedResponse(request);
    this.headers = this.wire.writer.headers;
  }

  get status(): number {
    return this.wire.writer.status;
  }

  get ended(): boolean {
    return this.wire.writer.ended;
  }

  /** Status and headers that the client would receive. Before the response starts, returns the current values. */
  get sent(): SentHead {
    return this.wire.head() ?? { status: this.status, headers: this.headers };
  }

  writeHead(status: number): void {
    this.wire.writer.writeHead(status);
  }

  writeInformational(status: number, headers: HeaderMap): boolean {
    return this.wire.writer.writeInformational(status, headers);
  }

  write(chunk: Chunk): boolean {
    if (this.ended) return true;
    this.writeHead(200);
    this.take(chunk);
    this.wire.writer.write(chunk);
    return this.hasRoom;
  }

  end(chunk?: Chunk): void {
    if (this.ended) return;
    if (chunk !== undefined) this.take(chunk);
    this.wire.writer.end(chunk);
  }

  flush(): void {
    this.wire.writer.flush();
  }

  setTrailers(trailers: HeaderMap): void {
    this.wire.writer.setTrailers(trailers);
  }

  /** Reports whether the body reader can accept more data immediately. */
  protected abstract get hasRoom(): boolean;
  /** Receives a chunk of the body. */
  protected abstract take(chunk: Chunk): void;
}
