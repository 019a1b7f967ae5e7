/**
 * Holds back a response until the WAF engine has inspected it. The inspection covers the head and, if the rules require it, the beginning
 * of the body.
 */
import { messageOf } from '@sluice/base';
import { ResponseFilter, type Chunk, type Exchange } from '@sluice/http-app';
import type { HeaderMap } from '@sluice/http1';
import type { Inspection } from './inspection.ts';

export class InspectedResponse extends ResponseFilter {
  readonly #exchange: Exchange;
  readonly #inspection: Inspection;
  /** Status of the response, or 0 until the head is written. */
  #status = 0;
  #state: 'none' | 'held' | 'released' | 'blocked' = 'none';
  #held: Buffer[] = [];
  #inspected = 0;
  #ended = false;
  #trailers: HeaderMap | null = null;
  #error: Error | null = null;
  #settled: Promise<void> = Promise.resolve();
  /** Function that wakes up the inspection when more of the body has arrived, or `null`. */
  #wake: (() => void) | null = null;
  /** `resolve` functions of promises. They are called when all held chunks have been inspected. */
  #drained: (() => void)[] = [];

  constructor(exchange: Exchange, inspection: Inspection) {
    super(exchange.response);
    this.#exchange = exchange;
    this.#inspection = inspection;
  }

  override get status(): number {
    return this.#status === 0 ? this.inner.status : this.#status;
  }

  override get ended(): boolean {
    return this.#ended || this.inner.ended;
  }

  /** True if a WAF rule rejected the response. */
  get isBlocked(): boolean {
    return this.#state === 'blocked';
  }

  override writeHead(status: number): void {
    if (this.status !== 0 || this.ended) return;
    if (status < 200) {
      this.inner.writeHead(status);
      return;
    }
    this.#status = status;
    this.#state = 'held';
    this.#settled = this.#inspect(status);
  }

  override write(chunk: Chunk): boolean {
    if (this.ended) return true;
    if (this.status === 0) this.writeHead(200);
    if (this.#state === 'held') {
      this.#hold(chunk);
      return false;
    }
    return this.#state === 'blocked' || this.inner.write(chunk);
  }

  override end(chunk?: Chunk): void {
    if (this.ended) return;
    if (this.status === 0) this.writeHead(200);
    if (this.#state === 'held' && chunk !== undefined) this.#hold(chunk);
    if (this.#state === 'none' || this.#state === 'released') {
      this.inner.end(chunk);
      return;
    }
    this.#ended = true;
    this.#wake?.();
  }

  override flush(): void {
    if (this.ended) return;
    if (this.status === 0) this.writeHead(200);
    if (this.#state === 'none' || this.#state === 'released') this.inner.flush();
  }

  override drained(): Promise<void> {
    if (this.#state === 'none' || this.#state === 'released') return this.inner.drained();
    if (this.#state === 'blocked') return Promise.resolve();
    return new Promise((resolve) => this.#drained.push(resolve));
  }

  override setTrailers(trailers: HeaderMap): void {
    if (this.#state === 'held') this.#trailers = trailers;
    else if (this.#state !== 'blocked') this.inner.setTrailers(trailers);
  }

  /** Resolves once the response has been released to the client. Rejects if a WAF rule rejected the response. */
  async finish(): Promise<void> {
    if (this.#state === 'held' && !this.#ended) this.end();
    await this.#settled;
    if (this.#error !== null) throw this.#error;
  }

  /** Discards the held response after a handler failed. */
  discard(): void {
    if (this.#state !== 'held') return;
    this.#state = 'blocked';
    this.#held = [];
    this.#wake?.();
    this.#wakeProducer();
  }

  #hold(chunk: Chunk): void {
    this.#held.push(Buffer.from(chunk));
    this.#wake?.();
  }

  /** Inspects the held response. Never rejects. */
  async #inspect(status: number): Promise<void> {
    try {
      const wantsBody = await this.#inspection.responseHead(this.#exchange, status, this.headers);
      if (wantsBody) await this.#inspectBody();
      if (this.#state === 'held') this.#release(status);
    } catch (error) {
      this.#error = error instanceof Error ? error : new Error(messageOf(error), { cause: error });
      this.#state = 'blocked';
      this.#held = [];
    }
    this.#wakeProducer();
  }

  async #inspectBody(): Promise<void> {
    while (this.#state === 'held') {
      const piece = this.#held[this.#inspected];
      if (piece !== undefined) {
        this.#inspected++;
        if (!(await this.#inspection.responsePiece(piece))) return;
      } else if (this.#ended) {
        await this.#inspection.responseEnd();
        return;
      } else {
        const more = new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        this.#wakeProducer();
        await more;
        this.#wake = null;
      }
    }
  }

  #release(status: number): void {
    this.#state = 'released';
    const { headers, inner } = this;
    if (this.#ended && status !== 204 && status !== 304 && this.#exchange.method !== 'HEAD') {
      const isDelimited = headers.has('content-length') || headers.has('transfer-encoding');
      if (!isDelimited) headers.set('content-length', String(this.#held.reduce((sum, each) => sum + each.length, 0)));
    }
    inner.writeHead(status);
    for (const piece of this.#held) inner.write(piece);
    this.#held = [];
    if (this.#trailers !== null) inner.setTrailers(this.#trailers);
    if (this.#ended) inner.end();
    else inner.flush();
  }

  #wakeProducer(): void {
    const waiting = this.#drained;
    this.#drained = [];
    for (const wake of waiting) wake();
  }
}
