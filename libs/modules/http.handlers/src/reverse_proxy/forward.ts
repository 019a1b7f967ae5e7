/**
 * One exchange on its way through a proxy: request to the upstream, response to the client, and what is between when
 * something goes wrong. It is the request that the transport sends, the sink of the response, and what placeholders tell.
 */
import type { Duplex } from 'node:stream';
import { guarded, unawaited, type Guarded } from '@sluice/base';
import {
  AbortError,
  CutError,
  ClientGoneError,
  HttpError,
  isUpstreamError,
  matchSets,
  ReplayableBody,
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
import { proxyPlaceholder } from './placeholders.ts';
import type { ProxyParts } from './proxy-parts.ts';
import type { ProxyUpstream } from './proxy-upstream.ts';
import { dropConnectionFields } from './response-fields.ts';
import { canRewind, mayRepeat, rewindBody } from './retry.ts';
import { statusFrom } from './status.ts';
import { TriedRequest } from './tried-request.ts';

/** A proxied exchange. Made for each; {@link start} runs it. */
export class Forward extends TriedRequest implements UpstreamSink, ProxyFacts, Watched, Guarded {
  watchedAt = -1;
  /** The response waits while routes run; the response may be passed on. */
  #isHeld = false;
  /** `retry_match` is asked about an error. */
  #matchesError = false;
  /** `retry_match` is asked about the response, or has refused it. */
  #isAskedFor = false;
  readonly #next: Next;
  #resolve: () => void = ignore;
  #reject: (error: unknown) => void = ignore;
  #call: UpstreamCall | null = null;
  /** The transport has the request and has not said the last word. */
  #pending = false;
  #over = false;
  #passed: { resolve: () => void; reject: (error: unknown) => void } | null = null;

  constructor(parts: ProxyParts, exchange: Exchange, next: Next) {
    super(parts, exchange);
    this.#next = next;
  }

  // ---- The request -------------------------------------------------------------------------------------------------

  /** Makes the request and tries upstreams; tells the end by one of the two. */
  start(resolve: () => void, reject: (error: unknown) => void): void {
    this.#resolve = resolve;
    this.#reject = reject;
    const { exchange } = this;
    const parts = this.parts;
    exchange.attach(proxyFacts, this);
    try {
      this.prepare(parts);
    } catch (error) {
      this.#end(error);
      return;
    }
    parts.watch.add(this);
    const buffer = this.body.length < 0 ? parts.lengthBuffer : parts.requestBuffer;
    if (buffer > 0 && this.body.length !== 0) unawaited(this, this.#bufferRequest(buffer));
    else this.#attempt();
  }

  async #bufferRequest(limit: number): Promise<void> {
    const { body: outgoing } = this;
    // What would keep the body for a further try has not begun: this does so in its place.
    const body = new ReplayableBody(outgoing instanceof ReplayableBody ? this.exchange.body : outgoing, limit);
    this.body = body;
    await body.fill();
    if (this.parts.transport.lengthBuffer !== undefined || body.isEmpty) body.countLength();
    if (!this.#over) this.#attempt();
  }

  #attempt(): void {
    const { upstreams } = this.parts;
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
        guarded(this, (found) => this.#attemptWith(found)),
        guarded(this, (error: unknown) => this.#end(error)),
      );
  }

  #attemptWith(list: readonly ProxyUpstream[]): void {
    if (this.#over) return;
    const parts = this.parts;
    this.beginTry();
    this.#isAskedFor = false;
    try {
      const address = this.takeUpstream(list);
      if (address === null) {
        this.#retryOr(new HttpError(503, 'no upstreams available'));
        return;
      }
      this.#pending = true;
      const call = parts.transport.send(address, this, this);
      if (this.#over) this.#abort(call);
      else if (this.#pending) this.#call = call;
    } catch (error) {
      this.onError(error as Error);
    }
  }

  // ---- The response --------------------------------------------------------------------------------------------------

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
    const { parts } = this;
    try {
      this.setResponse(status, proto, headers, length);
      const latency = this.noteLatency();
      const upstream = this.upstream as ProxyUpstream;
      upstream.responded(status, latency);
      parts.roundtrips.responded(this.exchange, upstream.address, status, latency);
      return parts.retry.responseMatch === null || !canRewind(this.body)
        ? this.#takeResponse()
        : this.#askForRetry(parts.retry.responseMatch);
    } catch (error) {
      this.fault(error);
      return false;
    }
  }

  /** Handles the response that has come, or passes it on. Tells whether the body may come. */
  #takeResponse(): boolean {
    const { status } = this;
    const headers = this.responseHeaders as HeaderMap;
    for (const handler of this.parts.responseHandlers) {
      if (handler.matches(status, headers)) return this.#handleResponse(handler);
    }
    this.beginPassing(status);
    return true;
  }

  /** Asks `retry_match` whether the response is one. Tells whether the body may come. */
  #askForRetry(sets: readonly MatcherSet[]): boolean {
    this.#isAskedFor = true;
    const matched = this.#matches(() => matchSets(this.exchange, sets));
    if (typeof matched === 'boolean') return this.#decided(matched);
    const tries = this.tries;
    matched.then(
      guarded(this, (refused) => {
        // Meanwhile the upstream may have broken the response off, and another try may run.
        if (this.#pending && !this.#over && tries === this.tries && this.#decided(refused)) this.#call?.resume();
      }),
      guarded(this, (problem: unknown) => this.#end(problem)),
    );
    return false;
  }

  /** Asks `retry_match`. Where it fails, an expression for instance, the request does not match; as in the reference. */
  #matches(ask: () => boolean | Promise<boolean>): boolean | Promise<boolean> {
    const failed = (problem: unknown): false => {
      this.parts.roundtrips.notMatched(this.exchange, problem);
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

  /** The response counts as a failure: another try, or an error of its status. */
  #refuseResponse(): void {
    this.#pending = false;
    this.#call?.abort();
    this.#call = null;
    this.leave();
    const error = new HttpError(
      this.status,
      `the upstream responded with ${this.status}, and retry_match says to try again`,
    );
    if (this.mayTryAgain()) {
      this.noteFailed();
      this.#retryIf(true, error, this.parts.retry.interval);
    } else this.#giveUp(error);
  }

  onSpan(bytes: Buffer, from: number, to: number): boolean {
    try {
      if (this.passSpan(bytes, from, to)) return true;
      this.#resumeAfter(this.drained());
    } catch (error) {
      this.fault(error);
    }
    return false;
  }

  onData(chunk: Buffer): boolean {
    try {
      if (this.passData(chunk)) return true;
      this.#resumeAfter(this.drained());
    } catch (error) {
      this.fault(error);
    }
    return false;
  }

  /** Lets more of the response come when the client has read, or gives it up. */
  #resumeAfter(drained: Promise<void>): void {
    drained.then(
      guarded(this, () => this.#call?.resume()),
      guarded(this, () => this.onAbort()),
    );
  }

  override onLull(): void {
    try {
      super.onLull();
    } catch (error) {
      this.fault(error);
    }
  }

  onEnd(trailers: HeaderMap | null): void {
    this.#pending = false;
    this.#call = null;
    this.leave();
    try {
      this.endResponse(trailers);
    } catch (error) {
      this.fault(error);
      return;
    }
    this.#end(null);
  }

  onUpgrade(headers: HeaderMap, socket: Duplex, head: Buffer): void {
    this.#pending = false;
    this.#call = null;
    this.status = 101;
    this.noteLatency();
    try {
      this.#openTunnel(headers, socket, head);
    } catch (error) {
      socket.destroy();
      this.fault(error);
    }
  }

  #openTunnel(headers: HeaderMap, socket: Duplex, head: Buffer): void {
    this.parts.watch.delete(this);
    this.parts.tunnels.open(this.exchange, headers, { socket, head }, (error) => {
      this.leave();
      this.#end(error);
    });
  }

  // ---- handle_response ---------------------------------------------------------------------------------------------

  get held(): HeldResponse | null {
    if (!this.#isHeld) return null;
    return {
      status: this.status,
      headers: this.responseHeaders as HeaderMap,
      pass: (exchange, status) => this.#pass(exchange, status),
    };
  }

  /** Passes the response on with another status, or runs routes instead of that. Tells whether the body may come. */
  #handleResponse(handler: ResponseHandler): boolean {
    if (handler.status !== null) {
      this.beginPassing(statusFrom(handler.status.expand(this.exchange)));
      return true;
    }
    this.#isHeld = true;
    unawaited(this, this.#runRoutes(handler));
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
      return Promise.reject(new HttpError(500, 'the response of the upstream was passed on already'));
    this.#isHeld = false;
    return new Promise((resolve, reject) => {
      this.#passed = { resolve, reject };
      this.beginPassing(status);
      this.#call?.resume();
    });
  }

  /** No one wants the response. */
  #drop(): void {
    this.#isHeld = false;
    this.#abort(this.#call);
    this.leave();
  }

  /** What the transport throws at that fails nothing further. */
  #abort(call: UpstreamCall | null): void {
    try {
      call?.abort();
    } catch (error) {
      this.exchange.reportFault(error);
    }
  }

  // ---- Errors ------------------------------------------------------------------------------------------------------

  /**
   * A callback of this exchange has thrown: a matcher of `retry_match`, a filter that the response goes through, a policy.
   * The exchange fails as if the handler had thrown it.
   */
  fault(error: unknown): void {
    if (this.#over) {
      this.exchange.reportFault(error);
      return;
    }
    this.#pending = false;
    this.#isHeld = false;
    this.#abort(this.#call);
    this.leave();
    this.#end(error);
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
    this.leave();
    if (this.isPassing) {
      // What came is sent; then the connection ends.
      this.flushResponse();
      this.#end(new CutError(error.message));
      return;
    }
    if (this.#isHeld) {
      this.#isHeld = false;
      return;
    }
    this.forgetResponse();
    if (!isUpstreamError(error)) {
      this.#end(error);
      return;
    }
    const upstream = this.upstream as ProxyUpstream;
    const time = this.sinceSent();
    upstream.failed(error, time);
    this.parts.roundtrips.failed(this.exchange, upstream.address, error, time);
    this.#retryOr(error);
  }

  /** Tries once more, or gives up with an error. */
  #retryOr(error: HttpError | (Error & { readonly status: number })): void {
    const { retry } = this.parts;
    if (!this.mayTryAgain() || this.#passed !== null) {
      this.#giveUp(error);
      return;
    }
    this.#matchesError = isUpstreamError(error);
    const allowed = this.#matches(() => mayRepeat(retry, this.exchange, this.method, error));
    if (typeof allowed === 'boolean') this.#retryIf(allowed, error, retry.interval);
    else
      allowed.then(
        guarded(this, (matched) => this.#retryIf(matched, error, retry.interval)),
        guarded(this, (problem: unknown) => this.#end(problem)),
      );
  }

  #retryIf(allowed: boolean, error: Error & { readonly status: number }, interval: number): void {
    this.#matchesError = false;
    if (!allowed || !rewindBody(this.body)) {
      this.#giveUp(error);
      return;
    }
    if (isUpstreamError(error)) this.noteFailed();
    setTimeout(
      guarded(this, () => this.#attempt()),
      interval,
    );
  }

  #giveUp(error: Error & { readonly status: number }): void {
    this.#end(isUpstreamError(error) ? new HttpError(error.status, error.message, error) : error);
  }

  onAbort(): void {
    // A tunnel ends with its sockets, whoever closes them.
    if (this.#over || this.exchange.writer.upgraded) return;
    this.#abort(this.#call);
    this.leave();
    this.#end(this.isPassing ? new AbortError('the client closed the connection') : new ClientGoneError());
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
    this.parts.watch.delete(this);
    if (error === null) this.#resolve();
    else this.#reject(error);
  }

  // ---- Placeholders ------------------------------------------------------------------------------------------------

  placeholder(name: string): unknown {
    return proxyPlaceholder(name, this);
  }

  /** Whether `retry_match` is asked about an error; else `null`: there is nothing to tell. */
  get transportError(): true | null {
    return this.#matchesError ? true : null;
  }

  /** Fields of the response while `handle_response` routes run, or `retry_match` has asked for it, else `null`. */
  get heldHeaders(): HeaderMap | null {
    return this.#isHeld || this.#isAskedFor ? this.responseHeaders : null;
  }
}

function ignore(): void {}
