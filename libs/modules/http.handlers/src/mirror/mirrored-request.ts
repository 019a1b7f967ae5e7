/**
 * A copy of a client request. It is sent after later handlers have received the request and its body is complete. It ends when the response
 * has been discarded.
 */
import { performance } from 'node:perf_hooks';
import type { Duplex } from 'node:stream';
import { guarded, reportFault, runGuarded, timeOfRead, type Guarded } from '@sluice/base';
import {
  isStreamingResponse,
  BufferedBody,
  emptyBody,
  isUpstreamError,
  type DialAddress,
  type Exchange,
  type RequestBody,
  type UpstreamCall,
  type UpstreamRequest,
  type UpstreamSink,
} from '@sluice/http-app';
import type { HeaderMap } from '@sluice/http1';
import type { ProxyUpstream } from '../reverse_proxy/proxy-upstream.ts';
import { changedFields, requestFields, takeHost } from '../reverse_proxy/request-fields.ts';
import { CopiedBody, type CopySink } from './copied-body.ts';
import type { MirrorResult } from './metrics.ts';
import type { MirrorParts } from './mirror-parts.ts';

const moduleId = 'http.handlers.mirror';

/** A copy of a client request, which is sent to another upstream. */
export class MirroredRequest implements UpstreamRequest, UpstreamSink, CopySink, Guarded {
  readonly borrows = true;
  readonly holds = false;
  readonly upgrade = '';
  readonly exchange: Exchange;
  method: string;
  rawPath: string;
  query: string | null;
  host: string;
  headers: HeaderMap;
  body: RequestBody = emptyBody;
  readonly #parts: MirrorParts;
  readonly #upstream: ProxyUpstream;
  readonly #address: DialAddress;
  readonly #onOver: (request: MirroredRequest, result: MirrorResult) => void;
  readonly #timer: NodeJS.Timeout;
  /** The request body while it is being copied. */
  #copied: CopiedBody | null = null;
  #isReleased = false;
  #call: UpstreamCall | null = null;
  #sentAt = -1;
  #over = false;

  /** The caller must already have counted the request as in flight at the upstream. Throws if the copy can't be prepared. */
  constructor(
    exchange: Exchange,
    parts: MirrorParts,
    upstream: ProxyUpstream,
    onOver: (request: MirroredRequest, result: MirrorResult) => void,
  ) {
    this.exchange = exchange;
    this.#parts = parts;
    this.#upstream = upstream;
    this.#onOver = onOver;
    this.method = exchange.method;
    this.rawPath = exchange.rawPath;
    this.query = exchange.query;
    this.host = exchange.host;
    this.#address = upstream.dial(exchange);
    this.headers = requestFields(exchange, parts.isTrusted(exchange));
    // The copied body is sent with a fixed length and without trailers.
    this.headers.delete('expect');
    this.headers.delete('trailer');
    parts.rewrite?.(exchange, this);
    this.#changeFor(this.#address);
    this.#timer = setTimeout(
      guarded(this, () => this.#end('timeout')),
      parts.timeout,
    ).unref();
  }

  #changeFor({ network, hostPort }: DialAddress): void {
    const { namesUpstream, requestOperations } = this.#parts;
    if (namesUpstream) this.host = network === 'unix' ? '' : hostPort;
    if (requestOperations === null) return;
    this.headers = changedFields(this.headers, this.host, requestOperations, this.exchange);
    this.host = takeHost(this.headers);
  }

  /** Copies the body while later handlers read it. */
  copyBody(): void {
    const { exchange } = this;
    const { body } = exchange;
    const content = body.buffered();
    if (content !== null) this.body = new BufferedBody(content);
    else {
      this.#copied = new CopiedBody(body, this.#parts.maxBody, this);
      exchange.body = this.#copied;
      exchange.onFinish(() => {
        if (this.#copied !== null) this.#end('incomplete');
      });
    }
  }

  /** Called after later handlers have received the request. Sends the copy when its body is complete. */
  release(): void {
    this.#isReleased = true;
    if (this.#copied === null) this.#send();
  }

  cancel(): void {
    this.#end('canceled');
  }

  #send(): void {
    if (this.#over) return;
    this.#sentAt = performance.now();
    try {
      const call = this.#parts.transport.send(this.#address, this, this);
      if (this.#over) call.abort();
      else this.#call = call;
    } catch (error) {
      this.onError(error as Error);
    }
  }

  /** Ends the copy. Only the first call has an effect. If the response is incomplete, the connection is closed. */
  #end(result: MirrorResult, isComplete = result === 'success'): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#timer);
    this.#copied?.discard();
    this.#copied = null;
    this.#upstream.leave();
    this.#onOver(this, result);
    if (!isComplete) runGuarded(this, () => this.#call?.abort());
    this.#call = null;
  }

  /** Handles an exception by ending the copy. The client's request is never affected. */
  fault(error: unknown): void {
    reportFault({ part: 'task', error, module: moduleId });
    this.#end('error');
  }

  // Request body

  onCopied(content: Buffer): void {
    this.#copied = null;
    this.body = content.length === 0 ? emptyBody : new BufferedBody(content);
    if (this.#isReleased) runGuarded(this, () => this.#send());
  }

  onTooLarge(): void {
    this.#end('too_large');
  }

  onIncomplete(): void {
    this.#end('incomplete');
  }

  // The copy's response is discarded.

  onInformational(): boolean {
    return true;
  }

  onHead(status: number, _proto: string, headers: HeaderMap): boolean {
    this.#upstream.responded(status, timeOfRead() - this.#sentAt);
    if (!isStreamingResponse(headers)) return true;
    this.#end('success', false);
    return false;
  }

  onSpan(): boolean {
    return true;
  }

  onData(): boolean {
    return true;
  }

  onLull(): void {}

  onEnd(): void {
    this.#end('success');
  }

  onUpgrade(_headers: HeaderMap, socket: Duplex): void {
    socket.destroy();
    this.#end('error');
  }

  onError(error: Error): void {
    if (isUpstreamError(error) && !this.#over) this.#upstream.failed(error, timeOfRead() - this.#sentAt);
    this.#end('error');
  }
}
