/** One upstream request in flight. It waits for a connection, and is retried on another connection if that is safe. */
import {
  idempotentMethods,
  type DialAddress,
  ReplayableBody,
  type UpstreamCall,
  type UpstreamRequest,
  type UpstreamSink,
} from '@sluice/http-app';
import type { HeaderMap } from '@sluice/http1';
import { isSameToken, reportFault, type Guarded } from '@sluice/base';
import { GunzipSink } from './gunzip-sink.ts';
import { asksForGzip, authorityOf } from './request-head.ts';
import type { OriginSettings } from './origin-settings.ts';

/** Transport of a call: an HTTP/1.1 connection, or an HTTP/2 or HTTP/3 stream. */
export interface Carrier {
  resume(): void;
  abandon(call: ClientCall): void;
}

/** Origin at which a call waits for a connection. */
export interface CallOrigin {
  readonly address: DialAddress;
  readonly settings: OriginSettings;
  /** Opens a connection for a call, or queues it. */
  dialFor(call: ClientCall): void;
  /** Removes a call from the origin's queue. */
  forget(call: ClientCall): void;
}

/** An upstream request with the sink for its response. */
export class ClientCall implements UpstreamCall, Guarded {
  readonly request: UpstreamRequest;
  readonly host: string;
  /** True if the transport requests gzip although the client did not. */
  readonly asksForGzip: boolean;
  sink: UpstreamSink;
  aborted = false;
  /** Number of times that upstreams rejected the request without processing it. */
  rejections = 0;
  /** Current connection or stream, or `null` while the call waits for one. */
  connection: Carrier | null = null;
  cancelDial: (() => void) | null = null;
  readonly #origin: CallOrigin;
  #gunzip: GunzipSink | null = null;

  constructor(origin: CallOrigin, request: UpstreamRequest, sink: UpstreamSink) {
    this.#origin = origin;
    this.request = request;
    this.host = authorityOf(request, origin.address);
    this.asksForGzip = asksForGzip(request, origin.settings.style);
    this.sink = sink;
  }

  resume(): void {
    if (this.#gunzip === null) this.connection?.resume();
    else this.#gunzip.resume();
  }

  abort(): void {
    if (this.aborted) return;
    this.aborted = true;
    this.#gunzip?.stop();
    const { connection } = this;
    if (connection !== null) connection.abandon(this);
    else if (this.cancelDial !== null) this.cancelDial();
    else this.#origin.forget(this);
  }

  /** Fails the call when no response will arrive. */
  failed(error: Error): void {
    this.connection = null;
    if (!this.aborted) this.sink.onError(error);
  }

  /** Fails the call after an exception in one of its callbacks. */
  fault(error: unknown): void {
    if (this.aborted) reportFault({ part: 'exchange', error, module: 'http.reverse_proxy.transport.http' });
    else this.failed(error as Error);
  }

  /** Wraps the sink in a decoder if the response body is gzip-encoded. */
  decode(headers: HeaderMap): boolean {
    if (!isSameToken(headers.get('content-encoding') ?? '', 'gzip')) return false;
    headers.delete('content-encoding');
    headers.delete('content-length');
    this.#gunzip = new GunzipSink(this.sink, this, () => this.connection?.resume());
    this.sink = this.#gunzip;
    return true;
  }

  /**
   * Called when the upstream closed the connection without responding, for example because the connection was idle. Repeats the request if
   * that is safe. A request is safe to repeat if it has no body, or if it has an idempotent method and a buffered body.
   */
  repeat(): boolean {
    const { body, method } = this.request;
    if (this.aborted) return true;
    if (body.length !== 0) {
      if (!idempotentMethods.has(method)) return false;
      if (body instanceof ReplayableBody ? !body.rewind() : body.buffered() === null) return false;
    }
    this.dialAgain();
    return true;
  }

  /** Waits for another connection. This is safe, because no part of the request was sent. */
  dialAgain(): void {
    this.connection = null;
    this.#origin.dialFor(this);
  }
}
