/** Passes an upstream response to the client. */
import type { Exchange, ResponseWriter } from '@sluice/http-app';
import type { HeaderMap } from '@sluice/http1';
import type { ProxyParts } from './proxy-parts.ts';
import { viaOf } from './request-fields.ts';
import { copyFields, dropConnectionFields } from './response-fields.ts';
import type { SseKeepalive } from './sse-keepalive.ts';

/** Holds back the response headers until {@link pass} is called. The call happens immediately, or after the body has been buffered. */
export class UpstreamResponse {
  /** Response status. 0 before the response headers have arrived. */
  status = 0;
  headers: HeaderMap | null = null;
  /** Number of body bytes received so far. */
  received = 0;
  /** See `UpstreamSink.borrows`. */
  borrows = false;
  readonly #exchange: Exchange;
  readonly #parts: ProxyParts;
  #proto = '';
  /** Length of the body. -1 if the length is known only at the end of the body. */
  #length = -1;
  /** Client response. Set after the headers have been written to the client. */
  #client: ResponseWriter | null = null;
  #passedStatus = 0;
  #flushes = false;
  /** Chunks received while the body is being buffered, otherwise `null`. */
  #buffer: Buffer[] | null = null;
  #buffered = 0;
  /** Set while the client receives an event stream and `sse_keepalive` is enabled. */
  #keepalive: SseKeepalive | null = null;

  constructor(exchange: Exchange, parts: ProxyParts) {
    this.#exchange = exchange;
    this.#parts = parts;
  }

  /** Prepares for another attempt. The client must not have received any part of the last response. */
  reset(): void {
    this.received = 0;
    this.#buffer = null;
    this.#buffered = 0;
  }

  begin(status: number, proto: string, headers: HeaderMap, length: number): void {
    this.status = status;
    this.headers = headers;
    this.#proto = proto;
    this.#length = length;
  }

  /** True if part of the response has been sent to the client. */
  get isPassing(): boolean {
    return this.#client !== null;
  }

  /** See `UpstreamSink.holds`. */
  get holds(): boolean {
    return this.#buffer !== null || this.#exchange.writer.holds;
  }

  pass(status: number): void {
    this.#passedStatus = status;
    if (this.#parts.responseBuffer > 0 && this.#length !== 0) this.#buffer = [];
    else this.#writeHead();
  }

  #writeHead(): ResponseWriter {
    const exchange = this.#exchange;
    const { responseOperations, responseOperationsFor, flushes } = this.#parts;
    const headers = this.headers as HeaderMap;
    const client = exchange.response;
    this.#client = client;
    const unknown = this.#length < 0;
    const type = headers.get('content-type');
    // In HTTP/1, trailers require chunked transfer coding.
    const trailers = headers.has('transfer-encoding') || this.#proto === 'HTTP/2.0';
    if (responseOperations !== null) {
      dropConnectionFields(headers, trailers);
      if (responseOperationsFor(this.status, headers)) responseOperations.apply(headers, exchange);
    }
    copyFields(headers, client.headers, viaOf(this.#proto), trailers);
    // A streamed response is sent before its content is known. If the content type is missing, it stays missing, as in Caddy.
    if (unknown && type === undefined && !client.headers.has('content-type')) client.headers.append('content-type', '');
    this.#flushes = flushes || unknown || (type !== undefined && type.startsWith('text/event-stream'));
    // The HTTP/1 writer does not keep chunks after writing them, but filters and HTTP/2 might.
    this.borrows = client === exchange.writer && exchange.proto !== 'HTTP/2.0';
    const { sseKeepalive } = this.#parts;
    if (sseKeepalive !== null && unknown && isPlainEventStream(headers) && exchange.method !== 'HEAD')
      this.#keepalive = sseKeepalive(exchange, client);
    client.writeHead(this.#passedStatus);
    if (this.borrows) client.gather();
    return client;
  }

  /** Writes a chunk. Returns false if the caller must wait until the client has read data; see {@link drained}. */
  write(chunk: Buffer): boolean {
    this.received += chunk.length;
    const buffer = this.#buffer;
    if (buffer === null) {
      const client = this.#client as ResponseWriter;
      if (this.borrows) client.gather();
      return (this.#keepalive ?? client).write(chunk);
    }
    buffer.push(chunk);
    this.#buffered += chunk.length;
    return this.#buffered < this.#parts.responseBuffer || this.#writeBuffer(buffer);
  }

  /** Like {@link write}, but for bytes that are overwritten later. May only be called if {@link borrows} is true. */
  writeSpan(bytes: Buffer, from: number, to: number): boolean {
    const client = this.#client as ResponseWriter;
    this.received += to - from;
    client.gather();
    return (this.#keepalive ?? client).writeSpan(bytes, from, to);
  }

  /** Sends the buffered body. Called when the body is complete or exceeds the buffer size. */
  #writeBuffer(buffer: Buffer[]): boolean {
    this.#buffer = null;
    const client = this.#writeHead();
    const [first] = buffer;
    return (
      first === undefined || (this.#keepalive ?? client).write(buffer.length === 1 ? first : Buffer.concat(buffer))
    );
  }

  drained(): Promise<void> {
    return (this.#client as ResponseWriter).drained();
  }

  /** Called when no data is currently available. */
  lull(): void {
    if (this.#flushes) (this.#client as ResponseWriter).flush();
    else if (this.borrows) (this.#client as ResponseWriter).gathered();
  }

  flush(): void {
    this.#client?.flush();
  }

  /** Called when the upstream will send no more data. */
  stop(): void {
    this.#keepalive?.stop();
    this.#keepalive = null;
  }

  end(trailers: HeaderMap | null): void {
    if (this.#buffer !== null) this.#writeBuffer(this.#buffer);
    const client = this.#client as ResponseWriter;
    if (trailers !== null) client.setTrailers(trailers);
    client.end();
  }
}

/** Reports whether a body is an uncompressed event stream. */
function isPlainEventStream(headers: HeaderMap): boolean {
  if (headers.get('content-type')?.startsWith('text/event-stream') !== true) return false;
  const encoding = headers.joined('content-encoding') ?? '';
  return encoding === '' || encoding === 'identity';
}
