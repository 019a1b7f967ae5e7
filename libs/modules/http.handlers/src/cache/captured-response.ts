/** Forwards an upstream response to the client, and keeps a copy if the response may be stored. */
import type { HeaderMap } from '@sluice/http1';
import type { Budget } from './budget.ts';
import { ResponseFilter, type Chunk, type Exchange, type ResponseWriter } from '@sluice/http-app';

/** State: the final response headers have not been written yet. */
const undecided = 0;
/** State: the response is only sent to the client. */
const passing = 1;
/** State: the response is sent to the client and stored. */
const keeping = 2;
/** State: the client has already received a response; the rest is only stored. */
const keepingOnly = 3;
/** State: the response is discarded. It is not sent or stored. */
const swallowing = 4;

export type HeadDecision = 'pass' | 'keep' | 'swallow';

export interface Capture {
  /** Maximum size of a body to store, in bytes. */
  readonly maxSize: number;
  /** Memory budget for buffered bodies. */
  readonly budget: Budget;
  /** Called once for the final response headers, before they are written. */
  decide(status: number, headers: HeaderMap): HeadDecision;
  /** Called after {@link decide}, unless the decision is `swallow`. If the client's copy is current, responds with 304 and returns true. */
  respondShort(status: number, inner: ResponseWriter): boolean;
  /** Called if a body is not stored although its headers were accepted. */
  dropped(): void;
  /** Called when a body is complete, to store it. */
  kept(body: readonly Buffer[]): void;
  /** True if other requests are waiting for the body. A slow client must not delay them. */
  readonly isAwaited: boolean;
}

/** Response filter that is active while the upstream responds. */
export class CapturedResponse extends ResponseFilter {
  readonly #exchange: Exchange;
  readonly #capture: Capture;
  #state: typeof undecided | typeof passing | typeof keeping | typeof keepingOnly | typeof swallowing = undecided;
  /** Status of an upstream response that is not sent to the client. 0 if there is none. */
  #status = 0;
  #body: Buffer[] = [];
  #size = 0;
  /** Declared length of the body, or -1 if it is unknown. */
  #length = -1;
  #ended = false;

  constructor(exchange: Exchange, capture: Capture) {
    super(exchange.response);
    this.#exchange = exchange;
    this.#capture = capture;
  }

  override get status(): number {
    return this.#status === 0 ? this.inner.status : this.#status;
  }

  override get ended(): boolean {
    return this.#ended || (this.#state !== keepingOnly && this.inner.ended);
  }

  override get gone(): boolean {
    return this.#state !== swallowing && this.#state !== keepingOnly && this.inner.gone;
  }

  override get holds(): boolean {
    return this.#state === passing && this.inner.holds;
  }

  override writeHead(status: number): void {
    if (this.status !== 0 || this.ended) return;
    if (status < 200) {
      if (status === 101) this.#state = passing;
      this.inner.writeHead(status);
      return;
    }
    const decision = this.#capture.decide(status, this.headers);
    if (decision === 'swallow') {
      this.#state = swallowing;
      this.#status = status;
      return;
    }
    const length = this.headers.get('content-length');
    this.#length = length === undefined ? -1 : Number(length);
    this.#state = decision === 'keep' ? keeping : passing;
    if (this.#capture.respondShort(status, this.inner)) {
      this.#state = decision === 'keep' ? keepingOnly : swallowing;
      this.#status = status;
      return;
    }
    this.inner.writeHead(status);
  }

  override write(chunk: Chunk): boolean {
    if (this.ended) return true;
    if (this.status === 0) this.writeHead(200);
    if (this.#state === passing) return this.inner.write(chunk);
    if (this.#state === swallowing) return true;
    this.#keep(chunk);
    if (this.#status !== 0) return true;
    return this.inner.write(chunk) || (this.#state === keeping && this.#capture.isAwaited);
  }

  override end(chunk?: Chunk): void {
    if (this.ended) return;
    if (this.status === 0) this.writeHead(200);
    if (this.#state === keeping || this.#state === keepingOnly) {
      if (chunk !== undefined) this.#keep(chunk);
      this.#ended = true;
      if (this.#status === 0) this.inner.end(chunk);
      this.#complete();
      return;
    }
    this.#ended = true;
    if (this.#state === passing) this.inner.end(chunk);
  }

  override flush(): void {
    if (this.ended) return;
    if (this.status === 0) this.writeHead(200);
    if (this.#status === 0) this.inner.flush();
  }

  override drained(): Promise<void> {
    return this.#status === 0 ? this.inner.drained() : Promise.resolve();
  }

  /** Forwards trailers. A response with trailers is not stored. */
  override setTrailers(trailers: HeaderMap): void {
    if (this.#state === keeping || this.#state === keepingOnly) this.#drop();
    if (this.#status === 0) this.inner.setTrailers(trailers);
  }

  /** Called when all handlers have returned and the response is complete. */
  finish(): void {
    if (this.#state === undecided) this.#capture.dropped();
    else if ((this.#state === keeping || this.#state === keepingOnly) && !this.#ended) this.end();
  }

  /** Called when a handler has failed. The copy is then incomplete. */
  fail(): void {
    if (this.#state === undecided) this.#capture.dropped();
    else if (this.#state === keeping || this.#state === keepingOnly) this.#drop();
  }

  #keep(chunk: Chunk): void {
    if (this.#state !== keeping && this.#state !== keepingOnly) return;
    const length = typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length;
    if (this.#size + length > this.#capture.maxSize || !this.#capture.budget.take(length)) {
      this.#drop();
      return;
    }
    this.#size += length;
    // Copy the data, because the writer may reuse its buffer.
    this.#body.push(Buffer.from(chunk as Buffer));
  }

  #drop(): void {
    this.#state = this.#status === 0 ? passing : swallowing;
    this.#forget();
    this.#capture.dropped();
  }

  #forget(): void {
    this.#body = [];
    this.#capture.budget.give(this.#size);
    this.#size = 0;
  }

  #complete(): void {
    if (this.#state !== keeping && this.#state !== keepingOnly) return;
    const isWhole = this.#length < 0 || this.#length === this.#size || this.#exchange.method === 'HEAD';
    if (isWhole && !this.#exchange.aborted && this.#exchange.writer.broken === '') this.#capture.kept(this.#body);
    else this.#capture.dropped();
    this.#forget();
  }
}
