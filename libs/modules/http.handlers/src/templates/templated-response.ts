/** Buffers a response with a matching content type so that its body can be executed as a template. */
import { ResponseFilter, type Chunk, type Exchange } from '@sluice/http-app';
import { HeldBody } from '../common/held-body.ts';

/** Response filter that buffers the response of later handlers. */
export class TemplatedResponse extends ResponseFilter {
  readonly body = new HeldBody();
  readonly #types: readonly string[];
  /** True once the response head is written and the body is being buffered. */
  held = false;
  #status = 0;
  #ended = false;

  constructor(exchange: Exchange, types: readonly string[]) {
    super(exchange.response);
    this.#types = types;
  }

  override get status(): number {
    return this.held ? this.#status : this.inner.status;
  }

  override get ended(): boolean {
    return this.#ended || this.inner.ended;
  }

  override writeHead(status: number): void {
    if (this.status !== 0 || this.ended) return;
    const type = this.headers.get('content-type') ?? '';
    this.held = type !== '' && status >= 200 && this.#types.some((prefix) => type.startsWith(prefix));
    if (this.held) this.#status = status;
    else this.inner.writeHead(status);
  }

  override write(chunk: Chunk): boolean {
    if (this.status === 0) this.writeHead(200);
    if (!this.held) return this.inner.write(chunk);
    if (!this.#ended) this.body.add(chunk);
    return true;
  }

  override end(chunk?: Chunk): void {
    if (this.ended) return;
    if (this.status === 0) this.writeHead(200);
    if (!this.held) {
      this.inner.end(chunk);
      return;
    }
    if (chunk !== undefined) this.body.add(chunk);
    this.#ended = true;
  }

  override flush(): void {
    if (this.status !== 0 && !this.held) this.inner.flush();
  }

  override drained(): Promise<void> {
    return this.held ? Promise.resolve() : this.inner.drained();
  }
}
