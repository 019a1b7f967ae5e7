/** In-memory response to a subrequest from a template. */
import { HeaderMap } from '@sluice/http1';
import { ResponseWriter, type Chunk } from '@sluice/http-app';

/** Maximum size of a subrequest's response, in bytes. */
const maxSize = 16 * 1024 * 1024;

/** Innermost response writer of a subrequest, which has no client. */
export class VirtualResponse extends ResponseWriter {
  readonly headers = new HeaderMap();
  status = 0;
  ended = false;
  /** Reason why the subrequest's response is unusable, or `null` if it is usable. */
  failure: string | null = null;
  #chunks: Buffer[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  writeHead(status: number): void {
    if (this.status === 0 && status >= 200) this.status = status;
  }

  writeInformational(): boolean {
    return true;
  }

  write(chunk: Chunk): boolean {
    if (this.ended) return true;
    this.writeHead(200);
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk);
    this.#size += bytes.length;
    if (this.#size > maxSize) this.cut(`the response is larger than ${maxSize} bytes`);
    else this.#chunks.push(bytes);
    return true;
  }

  end(chunk?: Chunk): void {
    if (this.ended) return;
    this.writeHead(200);
    if (chunk !== undefined) this.write(chunk);
    this.ended = true;
  }

  flush(): void {}

  drained(): Promise<void> {
    return Promise.resolve();
  }

  setTrailers(): void {}

  /** Aborts the response. */
  cut(reason: string): void {
    this.failure ??= reason;
    this.ended = true;
    this.#chunks = [];
  }

  body(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}
