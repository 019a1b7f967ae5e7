/** How the reverse proxy talks to upstreams: what it asks of a transport, and how the response comes back. */
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
  /** Value of Host; empty for that of the address. */
  readonly host: string;
  /** Fields without Host, without framing and without those of one connection. */
  readonly headers: HeaderMap;
  readonly body: RequestBody;
  /** Protocol to upgrade to, as in `Upgrade: websocket`; empty for none. */
  readonly upgrade: string;
  /** The exchange that is passed on; `null` for a request of our own, such as a health check. */
  readonly exchange: Exchange | null;
}

/**
 * Takes a response. Calls come in the order below; after `onEnd`, `onUpgrade` or `onError` there is none. A sink that has
 * returned false gets neither a piece nor `onEnd` before {@link UpstreamCall.resume}, even if the connection to the upstream is
 * lost meanwhile: what was received before is delivered first.
 */
export interface UpstreamSink {
  /**
   * Whether chunks are only borrowed: the transport may use the memory of one again as soon as {@link holds} says no, and
   * that of one for which `onData` returned false when the sink asks to go on. Else chunks are the sink's for good.
   */
  readonly borrows: boolean;
  /** Whether the sink still uses the chunk that `onData` took last. Asked right after it, of sinks that borrow. */
  readonly holds: boolean;
  /** A 1xx response other than 101. The fields are the sink's. Returning false pauses until {@link UpstreamCall.resume}. */
  onInformational(status: number, headers: HeaderMap): boolean;
  /**
   * The head of the response, with all its fields. `proto` is `HTTP/1.1` …; `length` that of the body, -1 if only its end
   * will tell. Returning false holds the body back until {@link UpstreamCall.resume}.
   */
  onHead(status: number, proto: string, headers: HeaderMap, length: number): boolean;
  /**
   * A piece of the body, `bytes[from..to)`, which is overwritten as soon as this returns; instead of {@link onData}, of sinks
   * that borrow. Returning false pauses until {@link UpstreamCall.resume}.
   */
  onSpan(bytes: Buffer, from: number, to: number): boolean;
  /** A piece of the body; see {@link borrows}. Returning false pauses until {@link UpstreamCall.resume}. */
  onData(chunk: Buffer): boolean;
  /** What came was delivered, and more will come later: a moment to flush. */
  onLull(): void;
  /** The response is complete. */
  onEnd(trailers: HeaderMap | null): void;
  /** Instead of `onHead`: the upstream switched protocols. `head` are the first bytes of the new one. */
  onUpgrade(headers: HeaderMap, socket: Duplex, head: Buffer): void;
  /** There will be no (complete) response. An error of the request body, such as one of status 413, is passed as it is. */
  onError(error: UpstreamError | Error): void;
}

/** A request that is in progress. */
export interface UpstreamCall {
  /** Goes on after a sink method returned false. */
  resume(): void;
  /** The response is not wanted any more; the sink is not called again. */
  abort(): void;
}

/** A request on the wire. */
export interface DescribedRequest {
  readonly uri: string;
  readonly host: string;
  readonly headers: HeaderMap;
  /** True if the transport decodes gzip responses. */
  readonly decodesGzip: boolean;
}

/** Speaks with upstreams. Connections, and what else is dear, are shared by transports with equal options. */
export interface Transport {
  /**
   * Of a protocol that tells the length of a body first: how many bytes of one whose length is not known are read to find it
   * out, unless `request_buffers` says so. Absent: none.
   */
  readonly lengthBuffer?: number;
  /** Whether it speaks TLS: then upstreams are asked for by their own name, unless the proxy says otherwise. */
  readonly usesTls?: boolean;
  /**
   * Returns a request as {@link send} would write it: with what the transport adds, such as `Accept-Encoding`. Only called in
   * rehearsals. Absent: as the proxy has made it.
   */
  describe?(address: DialAddress, request: UpstreamRequest): DescribedRequest;
  /** Sends a request. The sink may be called before this returns. */
  send(address: DialAddress, request: UpstreamRequest, sink: UpstreamSink): UpstreamCall;
}

/** `http.reverse_proxy.transport`: inline key `protocol`. */
export const upstreamTransports: Namespace<Transport> = namespace<Transport>('http.reverse_proxy.transport');
