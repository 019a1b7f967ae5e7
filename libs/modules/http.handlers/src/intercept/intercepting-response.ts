/** Response filter that checks the response headers. Holds back the response if routes replace it. */
import {
  findResponseHandler,
  Intercepted,
  interceptedKey,
  replacedStatus,
  ResponseFilter,
  type Chunk,
  type Exchange,
  type Next,
  type ResponseHandler,
  type RouteList,
} from '@sluice/http-app';
import type { HeaderMap } from '@sluice/http1';
import { HeldBody } from '../common/held-body.ts';

/** Last handler of the routes. If the routes don't respond, the original response is sent unchanged. */
const nothing: Next = () => {};

/** Filters the response while the following handlers run. */
export class InterceptingResponse extends ResponseFilter {
  readonly #exchange: Exchange;
  readonly #handlers: readonly ResponseHandler[];
  /** Routes that replace the response. `null` until a response matches. */
  #routes: RouteList | null = null;
  #heldStatus = 0;
  readonly #heldBody = new HeldBody();
  #heldTrailers: HeaderMap | null = null;
  #heldEnd = false;

  constructor(exchange: Exchange, handlers: readonly ResponseHandler[]) {
    super(exchange.response);
    this.#exchange = exchange;
    this.#handlers = handlers;
  }

  override get status(): number {
    return this.#routes === null ? this.inner.status : this.#heldStatus;
  }

  override get ended(): boolean {
    return this.#heldEnd || this.inner.ended;
  }

  override writeHead(status: number): void {
    if (this.status !== 0 || this.ended) return;
    const handler = findResponseHandler(this.#handlers, status, this.headers);
    if (handler === null) this.inner.writeHead(status);
    else if (handler.routes === null) this.inner.writeHead(replacedStatus(handler, this.#exchange, status));
    else {
      this.#routes = handler.routes;
      this.#heldStatus = status;
    }
  }

  override write(chunk: Chunk): boolean {
    if (this.status === 0) this.writeHead(200);
    if (this.#routes === null) return this.inner.write(chunk);
    if (!this.#heldEnd) this.#heldBody.add(chunk);
    return true;
  }

  override end(chunk?: Chunk): void {
    if (this.ended) return;
    if (this.status === 0) this.writeHead(200);
    if (this.#routes === null) {
      this.inner.end(chunk);
      return;
    }
    if (chunk !== undefined) this.#heldBody.add(chunk);
    this.#heldEnd = true;
  }

  override flush(): void {
    if (this.status === 0) this.writeHead(200);
    if (this.#routes === null) this.inner.flush();
  }

  override drained(): Promise<void> {
    return this.#routes === null ? this.inner.drained() : Promise.resolve();
  }

  override setTrailers(trailers: HeaderMap): void {
    if (this.#routes === null) this.inner.setTrailers(trailers);
    else this.#heldTrailers = trailers;
  }

  /** Called after the following handlers have finished. If a response matched, runs the replacement routes. */
  finish(): void | Promise<void> {
    const exchange = this.#exchange;
    const { headers } = this;
    exchange.response = this.inner;
    if (this.#routes === null) return;
    exchange.setPlaceholder(interceptedKey, new Intercepted(this.#heldStatus, headers.clone()));
    // The new response has a different length. Caddy keeps the original Content-Length, which causes the connection to be closed.
    const length = headers.get('content-length');
    headers.delete('content-length');
    const pending = this.#routes.enter(exchange, nothing);
    if (pending !== undefined) return pending.then(() => this.#send(length));
    this.#send(length);
  }

  /** Sends the original response, unless the routes have responded. */
  #send(length: string | undefined): void {
    const { inner } = this;
    if (inner.status !== 0 || inner.ended) return;
    if (length !== undefined && !this.headers.has('content-length')) this.headers.set('content-length', length);
    inner.writeHead(this.#heldStatus);
    if (this.#heldTrailers !== null) inner.setTrailers(this.#heldTrailers);
    this.#heldBody.sendTo(inner);
  }
}
