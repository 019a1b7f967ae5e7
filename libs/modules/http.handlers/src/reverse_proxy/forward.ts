/**
 * One exchange on its way through a proxy: request to the upstream, answer to the client, and what is between when
 * something goes wrong. It is the request that the transport sends, the sink of the answer, and what placeholders tell.
 */
import type { Duplex } from 'node:stream';
import {
  AbortError,
  ClientGoneError,
  HttpError,
  idempotentMethods,
  isUpstreamError,
  matchSets,
  ReplayableBody,
  type RequestBody,
  type DialAddress,
  type Exchange,
  type HeaderMap,
  type HeldResponse,
  type Next,
  type ProxyFacts,
  type ResponseWriter,
  type UpstreamCall,
  type UpstreamRequest,
  type UpstreamSink,
} from '@sluice/http-app';
import type { Watched } from './abort-watch.ts';
import { outgoingBody } from './outgoing-body.ts';
import { proxyPlaceholder } from './placeholders.ts';
import { mayTryAgain, type ProxyParts, type ResponseHandler } from './proxy-parts.ts';
import type { ProxyUpstream } from './proxy-upstream.ts';
import { changedFields, requestFields, takeHost, upgradeOf, viaOf } from './request-fields.ts';
import { copyFields, dropConnectionFields } from './response-fields.ts';
import { selectUpstream } from './select-upstream.ts';
import { statusFrom } from './status.ts';

/** A proxied exchange. Made for each; {@link start} runs it. */
export class Forward implements UpstreamRequest, UpstreamSink, ProxyFacts, Watched {
  method = '';
  rawPath = '';
  query: string | null = null;
  host = '';
  headers: HeaderMap;
  body: RequestBody;
  upgrade = '';
  readonly exchange: Exchange;
  /** Status of the answer; 0 before. */
  status = 0;
  borrows = false;
  /** The answer waits while routes run; the answer may be passed on. */
  #isHeld = false;
  readonly #parts: ProxyParts;
  readonly #next: Next;
  readonly #resolve: () => void;
  readonly #reject: (error: unknown) => void;
  /** Fields for any upstream, before the operations for one. */
  #commonHeaders: HeaderMap;
  #commonHost = '';
  readonly #startedAt: number;
  #tries = 0;
  #upstream: ProxyUpstream | null = null;
  /** Upstreams that this request has failed with; `null` for none. */
  #failed: ProxyUpstream[] | null = null;
  /** Whether the upstream has this request counted in. */
  #counted = false;
  #address: DialAddress | null = null;
  #sentAt = 0;
  #latency = -1;
  #duration = -1;
  #call: UpstreamCall | null = null;
  /** The transport has the request and has not said the last word. */
  #pending = false;
  #over = false;
  #answerHeaders: HeaderMap | null = null;
  #proto = '';
  #length = -1;
  /** Where the answer goes; set when it begins to be passed on. */
  #response: ResponseWriter | null = null;
  #flushes = false;
  /** What came of a body that is passed on in one piece, with {@link #passStatus}; `null` for one that is not. */
  #buffer: Buffer[] | null = null;
  #passStatus = 0;
  #buffered = 0;
  #passed: { resolve: () => void; reject: (error: unknown) => void } | null = null;

  constructor(
    parts: ProxyParts,
    exchange: Exchange,
    next: Next,
    resolve: () => void,
    reject: (error: unknown) => void,
  ) {
    this.#parts = parts;
    this.exchange = exchange;
    this.#next = next;
    this.#resolve = resolve;
    this.#reject = reject;
    this.body = exchange.body;
    this.headers = this.#commonHeaders = exchange.headers;
    this.#startedAt = performance.now();
  }

  // ---- The request -------------------------------------------------------------------------------------------------

  /** Makes the request and tries upstreams. */
  start(): void {
    const { exchange } = this;
    const parts = this.#parts;
    exchange.proxied = this;
    try {
      this.#prepare(exchange, parts);
    } catch (error) {
      this.#end(error);
      return;
    }
    parts.watch.add(this);
    if (parts.requestBuffer > 0 && this.body.length !== 0) void this.#bufferRequest(parts.requestBuffer);
    else this.#attempt();
  }

  #prepare(exchange: Exchange, parts: ProxyParts): void {
    const { trusted, rewrite } = parts;
    const isTrusted =
      (trusted !== null && trusted(exchange.connection.remoteAddress)) ||
      (exchange.server?.isTrustedProxy(exchange) ?? false);
    this.#commonHeaders = this.headers = requestFields(exchange, isTrusted);
    if (exchange.headers.has('upgrade')) this.upgrade = upgradeOf(exchange.headers);
    this.#commonHost = this.host = exchange.host;
    if (rewrite === null) {
      this.method = exchange.method;
      this.rawPath = exchange.rawPath;
      this.query = exchange.query;
    } else this.#rewrite(exchange, rewrite);
    this.body = outgoingBody(exchange, this.method, parts);
  }

  /** Rewrites what is sent; the exchange itself stays as it was. */
  #rewrite(exchange: Exchange, rewrite: NonNullable<ProxyParts['rewrite']>): void {
    const { method, rawPath, query } = exchange;
    try {
      rewrite(exchange);
      this.method = exchange.method;
      this.rawPath = exchange.rawPath;
      this.query = exchange.query;
    } finally {
      exchange.method = method;
      exchange.rawPath = rawPath;
      exchange.query = query;
    }
  }

  async #bufferRequest(limit: number): Promise<void> {
    const body = new ReplayableBody(this.exchange.body, limit);
    this.body = body;
    await body.fill();
    if (!this.#over) this.#attempt();
  }

  #attempt(): void {
    const { upstreams } = this.#parts;
    const { exchange } = this;
    let list: readonly ProxyUpstream[] | Promise<readonly ProxyUpstream[]>;
    try {
      list = upstreams.of(exchange);
    } catch (error) {
      this.#end(error);
      return;
    }
    if (Array.isArray(list)) this.#attemptWith(list as readonly ProxyUpstream[]);
    else
      (list as Promise<readonly ProxyUpstream[]>).then(
        (found) => this.#attemptWith(found),
        (error: unknown) => this.#end(error),
      );
  }

  #attemptWith(list: readonly ProxyUpstream[]): void {
    if (this.#over) return;
    const parts = this.#parts;
    this.#tries++;
    try {
      const upstream = selectUpstream(parts.policy, list, this.exchange, this.#failed);
      if (upstream === null) {
        this.#retryOr(new HttpError(503, 'no upstreams available'));
        return;
      }
      this.#upstream = upstream;
      this.#counted = true;
      this.#duration = -1;
      this.#sentAt = performance.now();
      this.#address = upstream.dial(this.exchange);
      if (parts.requestOperations !== null) {
        this.headers = changedFields(this.#commonHeaders, this.#commonHost, parts.requestOperations, this.exchange);
        this.host = takeHost(this.headers);
      }
      this.#pending = true;
      const call = parts.transport.send(this.#address, this, this);
      if (this.#over) call.abort();
      else if (this.#pending) this.#call = call;
    } catch (error) {
      this.onError(error as Error);
    }
  }

  // ---- The answer --------------------------------------------------------------------------------------------------

  onInformational(status: number, headers: HeaderMap): void {
    dropConnectionFields(headers, false);
    this.exchange.response.writeInformational(status, headers);
  }

  onHead(status: number, proto: string, headers: HeaderMap, length: number): boolean {
    this.status = status;
    this.#proto = proto;
    this.#length = length;
    this.#answerHeaders = headers;
    const latency = (this.#latency = performance.now() - this.#sentAt);
    const upstream = this.#upstream as ProxyUpstream;
    const { responseHandlers, roundtrips } = this.#parts;
    upstream.answered(status, latency);
    roundtrips.answered(this.exchange, upstream.address, status, latency);
    try {
      for (const handler of responseHandlers) {
        if (handler.matches(status, headers)) return this.#handleResponse(handler);
      }
      this.#beginPassing(status);
      return true;
    } catch (error) {
      this.#drop();
      this.#end(error);
      return false;
    }
  }

  /** The answer is to go to the client, with this status: at once, or when its body has come. */
  #beginPassing(status: number): void {
    this.#passStatus = status;
    if (this.#parts.responseBuffer > 0 && this.#length !== 0) this.#buffer = [];
    else this.#writeHead();
  }

  #writeHead(): void {
    const { exchange } = this;
    const { responseOperations, responseOperationsFor, flushes } = this.#parts;
    const headers = this.#answerHeaders as HeaderMap;
    const response = exchange.response;
    this.#response = response;
    const unknown = this.#length < 0;
    const type = headers.get('content-type');
    // Without the chunked coding, HTTP/1 has no place for them.
    const trailers = headers.has('transfer-encoding') || this.#proto === 'HTTP/2.0';
    if (responseOperations !== null) {
      dropConnectionFields(headers, trailers);
      if (responseOperationsFor(this.status, headers)) responseOperations.apply(headers, exchange);
    }
    copyFields(headers, response.headers, viaOf(this.#proto), trailers);
    // A stream is sent before anybody knows how it begins: it has no type but that of the upstream.
    if (unknown && type === undefined && !response.headers.has('content-type'))
      response.headers.append('content-type', '');
    this.#flushes = flushes || unknown || (type !== undefined && type.startsWith('text/event-stream'));
    // What the engine of HTTP/1 has written nobody needs any more; filters, and HTTP/2, may keep what they get.
    this.borrows = response === exchange.writer && exchange.proto !== 'HTTP/2.0';
    response.writeHead(this.#passStatus);
  }

  get holds(): boolean {
    return this.#buffer !== null || this.exchange.writer.holds;
  }

  onData(chunk: Buffer): boolean {
    if (this.#buffer !== null) return this.#keep(chunk, this.#buffer);
    return this.#write(chunk);
  }

  #write(chunk: Buffer): boolean {
    const response = this.#response as ResponseWriter;
    if (response.write(chunk)) return true;
    response.drained().then(
      () => this.#call?.resume(),
      () => this.onAbort(),
    );
    return false;
  }

  /** Keeps what comes until it is complete, or too much. */
  #keep(chunk: Buffer, buffer: Buffer[]): boolean {
    buffer.push(chunk);
    this.#buffered += chunk.length;
    return this.#buffered < this.#parts.responseBuffer || this.#writeBuffer(buffer);
  }

  #writeBuffer(buffer: Buffer[]): boolean {
    this.#buffer = null;
    this.#writeHead();
    return buffer.length === 0 || this.#write(buffer.length === 1 ? (buffer[0] as Buffer) : Buffer.concat(buffer));
  }

  onLull(): void {
    if (this.#flushes) (this.#response as ResponseWriter).flush();
  }

  onEnd(trailers: HeaderMap | null): void {
    this.#pending = false;
    this.#call = null;
    this.#leave();
    if (this.#buffer !== null) this.#writeBuffer(this.#buffer);
    const response = this.#response as ResponseWriter;
    if (trailers !== null) response.setTrailers(trailers);
    response.end();
    this.#end(null);
  }

  onUpgrade(headers: HeaderMap, socket: Duplex, head: Buffer): void {
    this.#pending = false;
    this.#call = null;
    this.status = 101;
    this.#latency = performance.now() - this.#sentAt;
    const { exchange } = this;
    const { responseOperations, responseOperationsFor, tunnels } = this.#parts;
    if (responseOperations !== null && responseOperationsFor(101, headers)) responseOperations.apply(headers, exchange);
    this.#parts.watch.delete(this);
    tunnels.open(exchange, headers, socket, head, (error) => {
      this.#leave();
      this.#end(error);
    });
  }

  // ---- handle_response ---------------------------------------------------------------------------------------------

  get held(): HeldResponse | null {
    if (!this.#isHeld) return null;
    return {
      status: this.status,
      headers: this.#answerHeaders as HeaderMap,
      pass: (exchange, status) => this.#pass(exchange, status),
    };
  }

  /** Passes the answer on with another status, or runs routes in place of that. Tells whether the body may come. */
  #handleResponse(handler: ResponseHandler): boolean {
    if (handler.status !== null) {
      this.#beginPassing(statusFrom(handler.status.expand(this.exchange)));
      return true;
    }
    this.#isHeld = true;
    void this.#runRoutes(handler);
    return false;
  }

  async #runRoutes({ routes }: ResponseHandler): Promise<void> {
    // The transport is to know first that the body has to wait.
    await Promise.resolve();
    let failure: unknown = null;
    try {
      if (routes === null) await this.#next(this.exchange);
      else await routes.enter(this.exchange, this.#next);
    } catch (error) {
      failure = error;
    }
    if (this.#isHeld) this.#drop();
    this.#end(failure);
  }

  #pass(exchange: Exchange, status: number): Promise<void> {
    if (!this.#isHeld || exchange !== this.exchange)
      return Promise.reject(new HttpError(500, 'the answer of the upstream was passed on already'));
    this.#isHeld = false;
    return new Promise((resolve, reject) => {
      this.#passed = { resolve, reject };
      this.#beginPassing(status);
      this.#call?.resume();
    });
  }

  /** Nobody wants the answer. */
  #drop(): void {
    this.#isHeld = false;
    this.#call?.abort();
    this.#leave();
  }

  // ---- Errors ------------------------------------------------------------------------------------------------------

  onError(error: Error): void {
    this.#pending = false;
    this.#call = null;
    this.#leave();
    const response = this.#response;
    if (response !== null) {
      // What came is sent, so that the client sees how far it got; then the connection ends.
      response.flush();
      this.#end(new AbortError(error.message));
      return;
    }
    if (this.#isHeld) {
      this.#isHeld = false;
      return;
    }
    // What was kept of an answer nobody has seen: it is as if there was none.
    this.#buffer = null;
    this.#buffered = 0;
    if (!isUpstreamError(error)) {
      this.#end(error);
      return;
    }
    const upstream = this.#upstream as ProxyUpstream;
    const time = performance.now() - this.#sentAt;
    upstream.failed(error.status, time);
    this.#parts.roundtrips.failed(this.exchange, upstream.address, error, time);
    this.#retryOr(error);
  }

  /** Tries once more, or gives up with an error. */
  #retryOr(error: HttpError | (Error & { readonly status: number })): void {
    const { retry } = this.#parts;
    const { interval, match } = retry;
    const undelivered = !isUpstreamError(error) || error.undelivered;
    if (!mayTryAgain(retry, this.#tries, this.#startedAt) || this.exchange.aborted || this.#passed !== null) {
      this.#giveUp(error);
      return;
    }
    const allowed =
      undelivered || (match === null ? idempotentMethods.has(this.method) : matchSets(this.exchange, match));
    if (allowed === true) this.#retry(error, interval);
    else if (allowed === false) this.#giveUp(error);
    else
      allowed.then(
        (matched) => (matched ? this.#retry(error, interval) : this.#giveUp(error)),
        (problem: unknown) => this.#end(problem),
      );
  }

  #retry(error: Error & { readonly status: number }, interval: number): void {
    const { body } = this;
    const unread = body.length === 0 || body.buffered() !== null || !body.consumed;
    if (!(body instanceof ReplayableBody ? body.rewind() : unread)) {
      this.#giveUp(error);
      return;
    }
    if (isUpstreamError(error) && this.#upstream !== null) this.#noteFailed(this.#upstream);
    setTimeout(() => this.#attempt(), interval);
  }

  #noteFailed(upstream: ProxyUpstream): void {
    if (this.#failed === null) this.#failed = [upstream];
    else if (!this.#failed.includes(upstream)) this.#failed.push(upstream);
  }

  #giveUp(error: Error & { readonly status: number }): void {
    this.#end(isUpstreamError(error) ? new HttpError(error.status, error.message, error) : error);
  }

  onAbort(): void {
    if (this.#over) return;
    this.#call?.abort();
    this.#leave();
    this.#end(new ClientGoneError());
  }

  #leave(): void {
    if (!this.#counted) return;
    this.#counted = false;
    (this.#upstream as ProxyUpstream).leave();
    this.#duration = performance.now() - this.#sentAt;
  }

  /** Hands the exchange back. */
  #end(error: unknown): void {
    if (this.#over) return;
    if (this.#passed !== null) {
      const passed = this.#passed;
      this.#passed = null;
      if (error === null) passed.resolve();
      else passed.reject(error);
      return;
    }
    this.#over = true;
    this.#call = null;
    this.#parts.watch.delete(this);
    if (error === null) this.#resolve();
    else this.#reject(error);
  }

  // ---- Placeholders ------------------------------------------------------------------------------------------------

  placeholder(name: string): unknown {
    return proxyPlaceholder(name, {
      upstream: this.#upstream,
      address: this.#address,
      latency: this.#latency,
      duration: this.#duration,
      startedAt: this.#startedAt,
      tries: this.#tries,
      status: this.status,
      heldHeaders: this.#isHeld ? this.#answerHeaders : null,
    });
  }
}
