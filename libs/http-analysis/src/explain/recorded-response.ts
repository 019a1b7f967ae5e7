/** The response to a request that is explained: composed as the engine would, kept as far as it is shown, and sent to no one. */
import type { HeaderMap } from '@sluice/http1';
import {
  type Chunk,
  ClientGoneError,
  type RequestLine,
  ResponseWriter,
  type SentHead,
  unconnectedResponse,
  type UnconnectedResponse,
} from '@sluice/http-app';

/** How much of a body is kept, and how much is taken before no more is wanted. */
const keptSize = 4096;
const largestBody = 64 * 1024;

export class RecordedResponse extends ResponseWriter {
  readonly headers: HeaderMap;
  /** Bytes of the body that the client would receive. */
  size = 0;
  /** Whether the connection was cut, which is also how a body that is too large ends. */
  cut = false;
  readonly #wire: UnconnectedResponse;
  readonly #kept: Buffer[] = [];
  #keptSize = 0;
  #written = 0;
  readonly #onHead: () => void;

  /** `onHead` is called when a handler responds. */
  constructor(request: RequestLine, onHead: () => void) {
    super();
    this.#wire = unconnectedResponse(request);
    this.headers = this.#wire.writer.headers;
    this.#onHead = onHead;
  }

  get status(): number {
    return this.#wire.writer.status;
  }

  get ended(): boolean {
    return this.#wire.writer.ended;
  }

  /** True if the reader stopped before the end of the body. */
  get isLarge(): boolean {
    return this.#written >= largestBody;
  }

  /** The beginning of the body. */
  get beginning(): Buffer {
    return Buffer.concat(this.#kept);
  }

  /** The head as the client would receive it, or as it is so far. */
  get sent(): SentHead {
    return this.#wire.head() ?? { status: this.status, headers: this.headers };
  }

  writeHead(status: number): void {
    const { writer } = this.#wire;
    if (writer.status !== 0) return;
    writer.writeHead(status);
    if (this.status === 0) return;
    this.clockHead();
    this.#onHead();
  }

  writeInformational(status: number, headers: HeaderMap): boolean {
    return this.#wire.writer.writeInformational(status, headers);
  }

  write(chunk: Chunk): boolean {
    if (this.ended) return true;
    this.writeHead(200);
    this.#record(chunk);
    this.#wire.writer.write(chunk);
    return !this.isLarge;
  }

  end(chunk?: Chunk): void {
    if (this.ended) return;
    this.writeHead(200);
    if (chunk !== undefined) this.#record(chunk);
    this.#wire.writer.end(chunk);
  }

  flush(): void {
    this.writeHead(200);
    this.#wire.writer.flush();
  }

  /** Of a large body no more is wanted: its end tells nothing of the way of the request. */
  drained(): Promise<void> {
    return !this.isLarge ? Promise.resolve() : Promise.reject(new ClientGoneError());
  }

  setTrailers(trailers: HeaderMap): void {
    this.#wire.writer.setTrailers(trailers);
  }

  #record(chunk: Chunk): void {
    const bytes = Buffer.from(chunk as Buffer);
    this.#written += bytes.length;
    if (!this.#wire.hasBody(this.status)) return;
    this.size += bytes.length;
    const room = keptSize - this.#keptSize;
    if (room <= 0) return;
    const piece = bytes.subarray(0, room);
    this.#kept.push(piece);
    this.#keptSize += piece.length;
  }
}
