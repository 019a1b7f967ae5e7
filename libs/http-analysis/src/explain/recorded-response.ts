/** The response to a request that is explained: composed as the engine would, kept as far as it is shown, and sent to no one. */
import { type Chunk, ClientGoneError, type RequestLine } from '@sluice/http-app';
import { ComposedResponse } from '../composed-response.ts';

/** Maximum number of body bytes to keep, and to accept. */
const keptSize = 4096;
const maxBodySize = 64 * 1024;

export class RecordedResponse extends ComposedResponse {
  /** Whether the connection was cut, which is also how a body that is too large ends. */
  cut = false;
  readonly #kept: Buffer[] = [];
  #keptSize = 0;
  #written = 0;
  readonly #onHead: () => void;

  /** `onHead` is called when a handler responds. */
  constructor(request: RequestLine, onHead: () => void) {
    super(request);
    this.#onHead = onHead;
  }

  /** True if the reader stopped before the end of the body. */
  get isLarge(): boolean {
    return this.#written >= maxBodySize;
  }

  /** Start of the body. */
  get beginning(): Buffer {
    return Buffer.concat(this.#kept);
  }

  override writeHead(status: number): void {
    if (this.status !== 0) return;
    super.writeHead(status);
    if (this.status === 0) return;
    this.clockHead();
    this.#onHead();
  }

  override end(chunk?: Chunk): void {
    if (!this.ended) this.writeHead(200);
    super.end(chunk);
  }

  override flush(): void {
    this.writeHead(200);
    super.flush();
  }

  /** Accepts no more of a large body, because its end does not affect the explanation. */
  drained(): Promise<void> {
    return !this.isLarge ? Promise.resolve() : Promise.reject(new ClientGoneError());
  }

  protected get hasRoom(): boolean {
    return !this.isLarge;
  }

  protected take(chunk: Chunk): void {
    const bytes = Buffer.from(chunk as Buffer);
    this.#written += bytes.length;
    if (!this.wire.hasBody(this.status)) return;
    this.size += bytes.length;
    const room = keptSize - this.#keptSize;
    if (room <= 0) return;
    const piece = bytes.subarray(0, room);
    this.#kept.push(piece);
    this.#keptSize += piece.length;
  }
}
