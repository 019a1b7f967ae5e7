/**
 * Handles a proxied request, from the client request to the end of the response or tunnel:
 *
 * 1. {@link Forward.run} creates the {@link OutgoingRequest}, and buffers its body if configured.
 * 2. `#attempt` selects an upstream ({@link Tries}) or waits for one ({@link QueuedRequest}), and sends the request.
 * 3. The transport calls back: `onHead` and `onData` pass on the {@link UpstreamResponse}.
 *    `onUpgrade` opens a tunnel, and `onError` retries or fails.
 * 4. `#end` ends the handling of the request.
 */
import type { Duplex } from 'node:stream';
import { guarded, unawaited } from '@sluice/base';
import {
  AbortError,
  CutError,
  ClientGoneError,
  HttpError,
  isUpstreamError,
  matchSets,
  ReplayableBody,
  type DialAddress,
  type Exchange,
  type HeldResponse,
  type MatcherSet,
  type Next,
  type ProxyFacts,
  type ResponseHandler,
  type UpstreamCall,
  type UpstreamSink,
  proxyFacts,
} from '@sluice/http-app';
import type { HeaderMap } from '@sluice/http1';
import type { Watched } from './abort-watch.ts';
import { OutgoingRequest } from './outgoing-request.ts';
import { proxyPlaceholder } from './placeholders.ts';
import type { ProxyParts } from './proxy-parts.ts';
import type { ProxyUpstream } from './proxy-upstream.ts';
import type { PlaceSeeker } from './queue/place-seeker.ts';
import type { QueuedRequest } from './queue/queued-request.ts';
import { dropConnectionFields } from './response-fields.ts';
import { canRewind, mayRepeat, rewindBody } from './retry.ts';
import { statusFrom } from './status.ts';
import { Tries } from './tries.ts';
import { UpstreamResponse } from './upstream-response.ts';

function noUpstreams(): HttpError {
  return new HttpError(503, 'no upstreams available');
}

/**
 * A proxied request. Each instance is used for one request. It also receives the upstream response and provides the
 * `{http.reverse_proxy.*}` placeholders.
 */
export class Forward implements UpstreamSink, ProxyFacts, Watched, PlaceSeeker<ProxyUpstream> {
  readonly exchange: Exchange;
  readonly request: OutgoingRequest;
  readonly response: UpstreamResponse;
  readonly tries: Tries;
  /** Last wait in the queue, or `null` if the request has not waited. */
  queued: QueuedRequest<ProxyUpstream> | null = null;
  watchedAt = -1;
  readonly #parts: ProxyParts;
  readonly #next: Next;
  readonly #done: PromiseWithResolvers<void> = Promise.withResolvers();
  /** True while the transport is processing the request. */
  #pending = false;
  #call: UpstreamCall | null = null;
  /** True while the `handle_response` routes are running. */
  #isHeld = false;
  /** Resolves when the client has received a response that the `handle_response` routes pass on. */
  #passed: PromiseWithResolvers<void> | null = null;
  /** True while `retry_match` is being evaluated for an error. */
  #matchesError = false;
  /** True if `retry_match` is being evaluated for the response, or was evaluated and did not match. */
  #isAskedFor = false;
  #over = false;

  constructor(parts: ProxyParts, exchange: Exchange, next: Next) {
    this.exchange = exchange;
    this.#parts = parts;
    this.#next = next;
    this.request = new OutgoingRequest(exchange);
    this.response = new UpstreamResponse(exchange, parts);
    this.tries = new Tries(exchange, parts);
  }

  run(): Promise<void> {
    const { request } = this;
    const parts = this.#parts;
    const { promise } = this.#done;
    this.exchange.attach(proxyFacts, this);
    try {
      request.prepare(parts);
    } catch (error) {
      this.#end(error);
      return promise;
    }
    parts.watch.add(this);
    const buffer = request.body.length < 0 ? parts.lengthBuffer : parts.requestBuffer;
    if (buffer > 0 && request.body.length !== 0) unawaited(this, this.#bufferRequest(buffer));
    else this.#attempt();
    return promise;
  }

  async #bufferRequest(limit: number): Promise<void> {
    const { body: outgoing } = this.request;
    // Wrap the body, so that another attempt can send it again.
    const body = new ReplayableBody(outgoing instanceof ReplayableBody ? this.exchange.body : outgoing, limit);
    this.request.body = body;
    await body.fill();
    if (this.#parts.transport.lengthBuffer !== undefined || body.isEmpty) body.countLength();
    if (!this.#over) this.#attempt();
  }

  #attempt(): void {
    let list: readonly ProxyUpstream[] | Promise<readonly ProxyUpstream[]>;
    try {
      list = this.list();
    } catch (error) {
      this.#end(error);
      return;
    }
    if (Array.isArray(list)) this.#attemptWith(list as readonly ProxyUpstream[]);
    else
      (list as Promise<readonly ProxyUpstream[]>).then(
        guarded(this, (found) => this.#attemptWith(found)),
        guarded(this, (error: unknown) => this.#end(error)),
      );
  }

  #attemptWith(list: readonly ProxyUpstream[]): void {
    if (this.#over) return;
    const { request, tries } = this;
    const { queue } = this.#parts;
    if (tries.count > 0) {
      request.restore();
      this.response.reset();
    }
    this.#isAskedFor = false;
    try {
      const address = tries.next(list);
      if (address !== null) this.#send(address);
      else if (queue === null || !queue.isWorthwhile(list)) this.#retryOr(noUpstreams());
      else {
        this.queued = queue.request(this, this.queued?.waited ?? 0);
        this.queued.enter(list);
      }
    } catch (error) {
      this.onError(error as Error);
    }
  }

  #send(address: DialAddress): void {
    const { request } = this;
    const { transport, namesUpstream, requestOperations } = this.#parts;
    request.changeFor(address, namesUpstream, requestOperations);
    this.#pending = true;
    const call = transport.send(address, request, this);
    if (this.#over) this.#abort(call);
    else if (this.#pending) this.#call = call;
  }

  list(): readonly ProxyUpstream[] | Promise<readonly ProxyUpstream[]> {
    return this.#parts.upstreams.of(this.exchange);
  }

  take(list: readonly ProxyUpstream[]): DialAddress | null {
    return this.tries.select(list);
  }

  onPlace(address: DialAddress): void {
    try {
      this.#send(address);
    } catch (error) {
      this.onError(error as Error);
    }
  }

  onNoPlace(error: Error | null): void {
    if (error === null) this.#retryOr(noUpstreams());
    else this.onError(error);
  }

  get borrows(): boolean {
    return this.response.borrows;
  }

  get holds(): boolean {
    return this.response.holds;
  }

  onInformational(status: number, headers: HeaderMap): boolean {
    try {
      dropConnectionFields(headers, false);
      const { response } = this.exchange;
      if (response.writeInformational(status, headers)) return true;
      this.#resumeAfter(response.drained());
    } catch (error) {
      this.fault(error);
    }
    return false;
  }

  onHead(status: number, proto: string, headers: HeaderMap, length: number): boolean {
    const { responseMatch } = this.#parts.retry;
    try {
      this.response.begin(status, proto, headers, length);
      this.tries.responded(status);
      return responseMatch === null || !canRewind(this.request.body)
        ? this.#takeResponse()
        : this.#askForRetry(responseMatch);
    } catch (error) {
      this.fault(error);
      return false;
    }
  }

  /** Handles the upstream response or passes it on. Returns true if the transport may deliver the body. */
  #takeResponse(): boolean {
    const { status } = this.response;
    const headers = this.response.headers as HeaderMap;
    for (const handler of this.#parts.responseHandlers) {
      if (handler.matches(status, headers)) return this.#handleResponse(handler);
    }
    this.response.pass(status);
    return true;
  }

  /** Evaluates `retry_match` for the upstream response. Returns true if the transport may deliver the body. */
  #askForRetry(sets: readonly MatcherSet[]): boolean {
    this.#isAskedFor = true;
    const matched = this.#matches(() => matchSets(this.exchange, sets));
    if (typeof matched === 'boolean') return this.#decided(matched);
    const { count } = this.tries;
    matched.then(
      guarded(this, (refused) => {
        // In the meantime, the response may have failed and another attempt may have started.
        if (this.#pending && !this.#over && count === this.tries.count && this.#decided(refused)) this.#call?.resume();
      }),
      guarded(this, (problem: unknown) => this.#end(problem)),
    );
    return false;
  }

  /** Evaluates `retry_match`. As in Caddy, an expression that fails does not match. */
  #matches(ask: () => boolean | Promise<boolean>): boolean | Promise<boolean> {
    const failed = (problem: unknown): false => {
      this.#parts.roundtrips.notMatched(this.exchange, problem);
      return false;
    };
    try {
      const matched = ask();
      return typeof matched === 'boolean' ? matched : matched.catch(failed);
    } catch (problem) {
      return failed(problem);
    }
  }

  #decided(refused: boolean): boolean {
    if (refused) {
      this.#refuseResponse();
      return false;
    }
    this.#isAskedFor = false;
    return this.#takeResponse();
  }

  /** Treats the upstream response as a failure. Retries the request, or fails with the status of the response. */
  #refuseResponse(): void {
    this.#pending = false;
    this.#call?.abort();
    this.#call = null;
    this.#leave();
    const { status } = this.response;
    const error = new HttpError(status, `the upstream responded with ${status}, and retry_match requests a retry`);
    if (this.tries.mayTryAgain) {
      this.tries.avoidUpstream();
      this.#retryIf(true, error);
    } else this.#giveUp(error);
  }

  onSpan(bytes: Buffer, from: number, to: number): boolean {
    try {
      if (this.response.writeSpan(bytes, from, to)) return true;
      this.#resumeAfter(this.response.drained());
    } catch (error) {
      this.fault(error);
    }
    return false;
  }

  onData(chunk: Buffer): boolean {
    try {
      if (this.response.write(chunk)) return true;
      this.#resumeAfter(this.response.drained());
    } catch (error) {
      this.fault(error);
    }
    return false;
  }

  /** Resumes the upstream response after the client has read enough data. */
  #resumeAfter(drained: Promise<void>): void {
    drained.then(
      guarded(this, () => this.#call?.resume()),
      guarded(this, () => this.onAbort()),
    );
  }

  onLull(): void {
    try {
      this.response.lull();
    } catch (error) {
      this.fault(error);
    }
  }

  onEnd(trailers: HeaderMap | null): void {
    this.#pending = false;
    this.#call = null;
    this.#leave();
    try {
      this.response.end(trailers);
    } catch (error) {
      this.fault(error);
      return;
    }
    this.#end(null);
  }

  onUpgrade(headers: HeaderMap, socket: Duplex, head: Buffer): void {
    this.#pending = false;
    this.#call = null;
    this.response.status = 101;
    this.tries.upgraded();
    this.#parts.watch.delete(this);
    try {
      this.#parts.tunnels.open(this.exchange, headers, { socket, head }, (error) => {
        this.#leave();
        this.#end(error);
      });
    } catch (error) {
      socket.destroy();
      this.fault(error);
    }
  }

  get held(): HeldResponse | null {
    if (!this.#isHeld) return null;
    return {
      status: this.response.status,
      headers: this.response.headers as HeaderMap,
      pass: (exchange, status) => this.#pass(exchange, status),
    };
  }

  /**
   * Passes on the response with a different status, or runs routes that replace the response. Returns true if the transport may deliver the
   * body.
   */
  #handleResponse(handler: ResponseHandler): boolean {
    if (handler.status !== null) {
      this.response.pass(statusFrom(handler.status.expand(this.exchange)));
      return true;
    }
    this.#isHeld = true;
    unawaited(this, this.#runRoutes(handler));
    return false;
  }

  async #runRoutes({ routes }: ResponseHandler): Promise<void> {
    // Return to the transport before running the routes, so that the transport pauses the body.
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
      return Promise.reject(new HttpError(500, 'the upstream response was already sent'));
    this.#isHeld = false;
    const { promise } = (this.#passed = Promise.withResolvers());
    try {
      this.response.pass(status);
      this.#call?.resume();
    } catch (error) {
      this.fault(error);
    }
    return promise;
  }

  /** Discards an upstream response that is not needed. */
  #drop(): void {
    this.#isHeld = false;
    this.#abort(this.#call);
    this.#leave();
  }

  /** Cancels the upstream request. If the transport throws, the exception is only logged. */
  #abort(call: UpstreamCall | null): void {
    try {
      call?.abort();
    } catch (error) {
      this.exchange.reportFault(error);
    }
  }

  /**
   * Handles an exception in a callback, such as a `retry_match` matcher, response filter, or policy. The request fails as if the handler
   * had thrown the exception.
   */
  fault(error: unknown): void {
    if (this.#over) {
      this.exchange.reportFault(error);
      return;
    }
    this.#pending = false;
    this.#isHeld = false;
    this.queued?.cancel();
    this.#abort(this.#call);
    this.#leave();
    // Routes that wait for the response also fail. They may handle the error themselves, so this request does not wait for them.
    this.#passed?.reject(error);
    this.#passed = null;
    this.#end(error);
  }

  onError(error: Error): void {
    try {
      this.#lost(error);
    } catch (fault) {
      this.fault(fault);
    }
  }

  #lost(error: Error): void {
    this.#pending = false;
    this.#call = null;
    this.#leave();
    if (this.response.isPassing) {
      // Send the data received so far and close the connection.
      this.response.flush();
      this.#end(new CutError(error.message));
      return;
    }
    if (this.#isHeld) {
      this.#isHeld = false;
      return;
    }
    if (!isUpstreamError(error)) {
      this.#end(error);
      return;
    }
    this.tries.failed(error);
    this.#retryOr(error);
  }

  /** Retries the request, or fails with an error. */
  #retryOr(error: HttpError | (Error & { readonly status: number })): void {
    if (!this.tries.mayTryAgain || this.#passed !== null) {
      this.#giveUp(error);
      return;
    }
    this.#matchesError = isUpstreamError(error);
    const allowed = this.#matches(() => mayRepeat(this.#parts.retry, this.exchange, this.request.method, error));
    if (typeof allowed === 'boolean') this.#retryIf(allowed, error);
    else
      allowed.then(
        guarded(this, (matched) => this.#retryIf(matched, error)),
        guarded(this, (problem: unknown) => this.#end(problem)),
      );
  }

  #retryIf(allowed: boolean, error: Error & { readonly status: number }): void {
    this.#matchesError = false;
    if (!allowed || !rewindBody(this.request.body)) {
      this.#giveUp(error);
      return;
    }
    if (isUpstreamError(error)) this.tries.avoidUpstream();
    setTimeout(
      guarded(this, () => this.#attempt()),
      this.#parts.retry.interval,
    );
  }

  #giveUp(error: Error & { readonly status: number }): void {
    this.#end(isUpstreamError(error) ? new HttpError(error.status, error.message, error) : error);
  }

  onAbort(): void {
    // A tunnel is closed together with its sockets.
    if (this.#over || this.exchange.writer.upgraded) return;
    this.queued?.cancel();
    this.#abort(this.#call);
    this.#leave();
    this.#end(this.response.isPassing ? new AbortError('the client closed the connection') : new ClientGoneError());
  }

  #leave(): void {
    this.response.stop();
    this.tries.leave(this.response.received);
  }

  /** If routes are waiting for the response to be passed on, resolves their promise. Otherwise, ends the handling of the request. */
  #end(error: unknown): void {
    if (this.#over) return;
    let waiting = this.#passed;
    this.#passed = null;
    if (waiting === null) {
      this.#over = true;
      this.#call = null;
      this.#parts.watch.delete(this);
      waiting = this.#done;
    }
    if (error === null) waiting.resolve();
    else waiting.reject(error);
  }

  placeholder(name: string): unknown {
    return proxyPlaceholder(name, this);
  }

  /** True while `retry_match` is being evaluated for an error, otherwise `null`. */
  get transportError(): true | null {
    return this.#matchesError ? true : null;
  }

  /** Response headers while `handle_response` routes are running or if `retry_match` used the headers, otherwise `null`. */
  get heldHeaders(): HeaderMap | null {
    return this.#isHeld || this.#isAskedFor ? this.response.headers : null;
  }
}
