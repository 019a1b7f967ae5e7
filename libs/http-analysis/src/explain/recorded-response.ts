/**
 * Response to an explained request. It is composed as the HTTP engine would compose it, but is not sent to a client. Keeps only the part of
 * the body that the explanation displays.
 */
import { type Chunk, ClientGoneError, type RequestLine } from '@sluice/http-app';
import { ComposedResponse } from '../composed-response.ts';

/** Maximum number of body bytes to keep. `maxBodySize` is the maximum number of body bytes to accept. */
const keptSize = 4096;
const maxBodySize = 64 * 1024;

export class RecordedResponse extends ComposedResponse {
  /** True if the connection was cut. A body that is too large also ends this way. */
  cut = false;
  readonly #kept: Buffer[] = [];
  #keptSize = 0;
  #written = 0;
  readonly #onHead: () => void;

  /** `onHead` is called when a handler starts the response. */
  constructor(request: RequestLine, onHead: () => void) {
    super(request);
    this.#onHead = onHead;
  }

  /** True if reading stopped before the end of the body. */
  get isLarge(): boolean {
    return this.#written >= maxBodySize;
  }

  /** Returns the first bytes of the body. */
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

  /** Rejects once the body is too large, because the rest of the body does not affect the explanation. */
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
