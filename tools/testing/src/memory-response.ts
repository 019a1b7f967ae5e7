/** An in-memory response for testing handlers without sockets. */
import { HeaderMap } from '@sluice/http1';
import { ResponseWriter, type Chunk } from '@sluice/http-app';

/** Records everything that is written. Enforces the rules of {@link ResponseWriter}, but no protocol rules. */
export class MemoryResponse extends ResponseWriter {
  readonly headers = new HeaderMap();
  readonly informational: { status: number; headers: HeaderMap }[] = [];
  /** Header fields at the time the head was written. */
  sent: HeaderMap | null = null;
  trailers: HeaderMap | null = null;
  status = 0;
  ended = false;
  flushes = 0;
  readonly #chunks: Buffer[] = [];

  get size(): number {
    return this.#chunks.reduce((size, chunk) => size + chunk.length, 0);
  }

  get body(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  writeHead(status: number): void {
    if (this.status !== 0) return;
    this.status = status;
    this.clockHead();
    this.sent = this.headers.clone();
  }

  writeInformational(status: number, headers: HeaderMap): boolean {
    this.informational.push({ status, headers: headers.clone() });
    return true;
  }

  write(chunk: Chunk): boolean {
    if (this.ended) return true;
    this.writeHead(200);
    this.#chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk));
    return true;
  }

  end(chunk?: Chunk): void {
    if (this.ended) return;
    this.writeHead(200);
    if (chunk !== undefined) this.write(chunk);
    this.ended = true;
  }

  flush(): void {
    this.flushes++;
  }

  drained(): Promise<void> {
    return Promise.resolve();
  }

  setTrailers(trailers: HeaderMap): void {
    this.trailers = trailers;
  }
}
