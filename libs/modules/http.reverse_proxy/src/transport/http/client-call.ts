/** One request on its way: waits for a connection, and for another one where that is safe. */
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

/** What carries a call: a connection of HTTP/1.1, a stream of HTTP/2. */
export interface Carrier {
  /** The sink of the call takes more. */
  resume(): void;
  /** The call is not wanted any more. */
  abandon(call: ClientCall): void;
}

/** Where a call waits for a connection. */
export interface CallOrigin {
  readonly address: DialAddress;
  readonly settings: OriginSettings;
  /** Makes a connection for a call, or lets it wait for one. */
  dialFor(call: ClientCall): void;
  /** The call does not wait any more. */
  forget(call: ClientCall): void;
}

/** A request and its sink. */
export class ClientCall implements UpstreamCall, Guarded {
  readonly request: UpstreamRequest;
  readonly host: string;
  /** Whether gzip was asked for without the client's knowledge. */
  readonly asksForGzip: boolean;
  sink: UpstreamSink;
  aborted = false;
  /** What it is on; `null` while it waits. */
  connection: Carrier | null = null;
  /** Ends the dialing for it. */
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

  /** There will be no response. */
  failed(error: Error): void {
    this.connection = null;
    if (!this.aborted) this.sink.onError(error);
  }

  /** A callback on its behalf has thrown. */
  fault(error: unknown): void {
    if (this.aborted) reportFault({ part: 'exchange', error, module: 'http.reverse_proxy.transport.http' });
    else this.failed(error as Error);
  }

  /** Puts a decoder before the sink if the body is gzip. */
  decode(headers: HeaderMap): boolean {
    if (!isSameToken(headers.get('content-encoding') ?? '', 'gzip')) return false;
    headers.delete('content-encoding');
    headers.delete('content-length');
    this.#gunzip = new GunzipSink(this.sink, this, () => this.connection?.resume());
    this.sink = this.#gunzip;
    return true;
  }

  /**
   * The connection was closed before it responded, as an upstream does with one that was idle for long. Sends the request
   * once more if nothing of it could count twice: without a body, or a method that is idempotent and a body that is kept.
   */
  repeat(): boolean {
    const { body, method } = this.request;
    if (this.aborted) return true;
    if (body.length !== 0) {
      if (!idempotentMethods.has(method)) return false;
      if (body instanceof ReplayableBody ? !body.rewind() : body.buffered() === null) return false;
    }
    this.connection = null;
    this.#origin.dialFor(this);
    return true;
  }
}
