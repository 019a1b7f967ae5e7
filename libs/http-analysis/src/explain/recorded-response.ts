/** The response of a request that is explained: kept as far as it is shown, and sent to no one. */
import { HeaderMap } from '@sluice/http1';
import { type Chunk, ClientGoneError, ResponseWriter } from '@sluice/http-app';

/** How much of a body is kept, and how much is taken before no more is wanted. */
const keptSize = 4096;
const largestBody = 64 * 1024;

/** Records a response. */
export class RecordedResponse extends ResponseWriter {
  readonly headers: HeaderMap = new HeaderMap();
  /** Fields as they were when the head was written. */
  sent: HeaderMap | null = null;
  status = 0;
  ended = false;
  size = 0;
  /** Whether the connection was cut, which is also how a body that is too large ends. */
  cut = false;
  readonly largest = largestBody;
  readonly #kept: Buffer[] = [];
  #keptSize = 0;
  readonly #onHead: () => void;

  /** `onHead` is called when a handler responds. */
  constructor(onHead: () => void) {
    super();
    this.#onHead = onHead;
  }

  /** The beginning of the body. */
  get beginning(): Buffer {
    return Buffer.concat(this.#kept);
  }

  writeHead(status: number): void {
    if (this.status !== 0) return;
    this.status = status;
    this.clockHead();
    this.sent = this.headers.clone();
    this.#onHead();
  }

  writeInformational(): boolean {
    return true;
  }

  write(chunk: Chunk): boolean {
    if (this.ended) return true;
    this.writeHead(200);
    const bytes = Buffer.from(chunk as Buffer);
    this.size += bytes.length;
    const room = keptSize - this.#keptSize;
    if (room > 0) {
      const piece = bytes.subarray(0, room);
      this.#kept.push(piece);
      this.#keptSize += piece.length;
    }
    return this.size < largestBody;
  }

  end(chunk?: Chunk): void {
    if (this.ended) return;
    this.writeHead(200);
    if (chunk !== undefined) this.write(chunk);
    this.ended = true;
  }

  flush(): void {}

  /** Of a large body no more is wanted: its end tells nothing of the way of the request. */
  drained(): Promise<void> {
    return this.size < largestBody ? Promise.resolve() : Promise.reject(new ClientGoneError());
  }

  setTrailers(): void {}
}
