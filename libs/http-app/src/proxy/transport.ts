/** Contract between the reverse proxy and upstream transports. */
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
  /** Value of Host; if empty, the address is used. */
  readonly host: string;
  /** Fields without Host, framing and hop-by-hop fields. */
  readonly headers: HeaderMap;
  readonly body: RequestBody;
  /** Protocol to upgrade to, as in `Upgrade: websocket`; empty for none. */
  readonly upgrade: string;
  readonly exchange: Exchange | null;
}

/**
 * Receives a response. Calls come in the order below; none follows `onEnd`, `onUpgrade` or `onError`. After a method
 * returned false, neither data nor `onEnd` is delivered until {@link UpstreamCall.resume}. If the upstream connection
 * is lost meanwhile, data received earlier is still delivered first.
 */
export interface UpstreamSink {
  /**
   * True if chunks are only borrowed. The transport may reuse a chunk's memory as soon as {@link holds} is false or, if
   * `onData` returned false, when the sink resumes. Otherwise the sink owns the chunks.
   */
  readonly borrows: boolean;
  /** True if the sink still uses the last chunk passed to `onData`. Read right after that call if the sink borrows. */
  readonly holds: boolean;
  /** Called with a 1xx response other than 101. The sink owns the fields. Returning false pauses until {@link UpstreamCall.resume}. */
  onInformational(status: number, headers: HeaderMap): boolean;
  /**
   * Response head with all fields. `proto` is, for example, `HTTP/1.1`; `length` is the body length, or -1 if unknown.
   * Returning false pauses the body until {@link UpstreamCall.resume}.
   */
  onHead(status: number, proto: string, headers: HeaderMap, length: number): boolean;
  /**
   * Called instead of {@link onData} for sinks that borrow, with a body chunk in `bytes[from..to)`, which is overwritten after the call.
   * Returning false pauses until {@link UpstreamCall.resume}.
   */
  onSpan(bytes: Buffer, from: number, to: number): boolean;
  /** Called with a body chunk; see {@link borrows}. Returning false pauses until {@link UpstreamCall.resume}. */
  onData(chunk: Buffer): boolean;
  /** Called when all received data was delivered but the response is not complete, which is a good time to flush. */
  onLull(): void;
  /** The response is complete. */
  onEnd(trailers: HeaderMap | null): void;
  /** Called instead of `onHead` if the upstream switched protocols. `head` contains the first bytes of the new protocol. */
  onUpgrade(headers: HeaderMap, socket: Duplex, head: Buffer): void;
  /**
   * Called if the response can't be completed. An error of the request body, for example with status 413, is passed
   * unchanged.
   */
  onError(error: UpstreamError | Error): void;
}

/** A request that is in progress. */
export interface UpstreamCall {
  /** Resumes after a sink method returned false. */
  resume(): void;
  /** Cancels the request; the sink is not called again. */
  abort(): void;
}

/** A request as sent on the wire. */
export interface DescribedRequest {
  readonly uri: string;
  readonly host: string;
  readonly headers: HeaderMap;
  /** True if the transport decodes gzip responses. */
  readonly decodesGzip: boolean;
}

/** Sends requests to upstreams. Transports with equal options share connections. */
export interface Transport {
  /**
   * Number of request body bytes to buffer if the length is unknown, for protocols that send the length first.
   * `request_buffers` overrides it. If absent, bodies are not buffered.
   */
  readonly lengthBuffer?: number;
  /** True for TLS. The default Host is then the upstream's host name. */
  readonly usesTls?: boolean;
  /**
   * Returns a request as {@link send} would write it, including fields added by the transport, such as
   * `Accept-Encoding`. Only called in dry runs. If absent, the request is unchanged.
   */
  describe?(address: DialAddress, request: UpstreamRequest): DescribedRequest;
  /** Sends a request. The sink may be called before this method returns. */
  send(address: DialAddress, request: UpstreamRequest, sink: UpstreamSink): UpstreamCall;
}

/** Namespace `http.reverse_proxy.transport`; inline key `protocol`. */
export const upstreamTransports: Namespace<Transport> = namespace<Transport>('http.reverse_proxy.transport');
