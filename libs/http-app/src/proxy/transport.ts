/** Interface between the reverse proxy and upstream transports. */
import type { Duplex } from 'node:stream';
import { namespace, type Namespace } from '@sluice/registry';
import type { RequestBody } from '../exchange/body.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { HeaderMap } from '@sluice/http1';
import type { DialAddress } from './dial-address.ts';
import type { UpstreamError } from './upstream-error.ts';

export interface UpstreamRequest {
  readonly method: string;
  /** Escaped path; never empty. */
  readonly rawPath: string;
  /** Query without `?`, or `null`. */
  readonly query: string | null;
  /** Value of the `Host` header field. If empty, the upstream's address is used. */
  readonly host: string;
  /** Request header fields, without `Host`, framing fields and hop-by-hop fields. */
  readonly headers: HeaderMap;
  readonly body: RequestBody;
  /** Protocol to upgrade to, as in `Upgrade: websocket`; empty if none. */
  readonly upgrade: string;
  readonly exchange: Exchange | null;
}

/**
 * Receiver of an upstream response. Methods are called in the order in which they are declared below. After `onEnd`, `onUpgrade` or
 * `onError`, no method is called. After a method returns false, data and `onEnd` wait for {@link UpstreamCall.resume}. If the upstream
 * connection is lost while the response is paused, data received earlier is still delivered first.
 */
export interface UpstreamSink {
  /**
   * True if the sink only borrows chunks. In this case, the transport may reuse a chunk's memory once {@link holds} is false. If `onData`
   * returned false, the transport may reuse the memory once the sink resumes. If `borrows` is false, the sink owns the chunks.
   */
  readonly borrows: boolean;
  /**
   * True if the sink still uses the last chunk passed to `onData`. For sinks that borrow chunks, the transport reads this property right
   * after the call.
   */
  readonly holds: boolean;
  /**
   * Receives a 1xx response other than 101. The sink owns the fields. If this method returns false, the response is paused until {@link
   * UpstreamCall.resume} is called.
   */
  onInformational(status: number, headers: HeaderMap): boolean;
  /**
   * Receives the response head with all fields. `proto` is, for example, `HTTP/1.1`. `length` is the body length, or -1 if unknown. If this
   * method returns false, the body is paused until {@link UpstreamCall.resume} is called.
   */
  onHead(status: number, proto: string, headers: HeaderMap, length: number): boolean;
  /**
   * Receives a body chunk: the bytes of `bytes` from `from` up to, but not including, `to`. They are overwritten after the call. For sinks
   * that borrow chunks, called instead of {@link onData}. If this method returns false, the response is paused until {@link
   * UpstreamCall.resume} is called.
   */
  onSpan(bytes: Buffer, from: number, to: number): boolean;
  /**
   * Receives a body chunk; see {@link borrows} for ownership. If this method returns false, the response is paused until {@link
   * UpstreamCall.resume} is called.
   */
  onData(chunk: Buffer): boolean;
  /** Called when all data received so far has been delivered, but the response is not complete. Buffered output can be flushed now. */
  onLull(): void;
  /** Called when the response is complete. */
  onEnd(trailers: HeaderMap | null): void;
  /** Called instead of `onHead` when the upstream switches protocols. `head` contains the first bytes of the new protocol. */
  onUpgrade(headers: HeaderMap, socket: Duplex, head: Buffer): void;
  /** Called if the response can't be completed. An error from the request body, such as one with status 413, is passed on unchanged. */
  onError(error: UpstreamError | Error): void;
}

/** A request to an upstream that is in flight. */
export interface UpstreamCall {
  /** Resumes the response after a sink method returned false. */
  resume(): void;
  /** Cancels the request. The sink is not called again. */
  abort(): void;
}

/** A request as the transport would send it. */
export interface DescribedRequest {
  readonly uri: string;
  readonly host: string;
  readonly headers: HeaderMap;
  /** True if the transport decodes gzip responses. */
  readonly decodesGzip: boolean;
}

/** A sender of requests to upstreams. Transports with equal options share connections. */
export interface Transport {
  /**
   * Number of bytes to buffer if the length of a request body is unknown. Used by protocols that send the length first. `request_buffers`
   * overrides this value. If absent, bodies are not buffered.
   */
  readonly lengthBuffer?: number;
  /** True if the transport uses TLS. If so, the default `Host` value is the upstream's host name. */
  readonly usesTls?: boolean;
  /**
   * Returns a request in the form that {@link send} would write, including fields that the transport adds, such as `Accept-Encoding`.
   * Called only in dry runs. If this method is absent, the transport sends requests unchanged.
   */
  describe?(address: DialAddress, request: UpstreamRequest): DescribedRequest;
  /** Sends a request. Methods of the sink may be called before this method returns. */
  send(address: DialAddress, request: UpstreamRequest, sink: UpstreamSink): UpstreamCall;
}

/** Module namespace `http.reverse_proxy.transport`; the inline key is `protocol`. */
export const upstreamTransports: Namespace<Transport> = namespace<Transport>('http.reverse_proxy.transport');
