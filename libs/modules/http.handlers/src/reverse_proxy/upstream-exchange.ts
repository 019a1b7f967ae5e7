/** The response of an upstream on its way to the client. */
import type { Exchange, ResponseWriter } from '@sluice/http-app';
import type { HeaderMap } from '@sluice/http1';
import { OutgoingRequest } from './outgoing-request.ts';
import type { ProxyParts } from './proxy-parts.ts';
import { viaOf } from './request-fields.ts';
import { copyFields, dropConnectionFields } from './response-fields.ts';

/** A request and how its response is passed on, from {@link beginPassing} on: at once, or when its body has come. */
export abstract class UpstreamExchange extends OutgoingRequest {
  /** Status of the response; 0 before. */
  status = 0;
  /** Bytes of its body so far. */
  received = 0;
  borrows = false;
  protected readonly parts: ProxyParts;
  protected responseHeaders: HeaderMap | null = null;
  #proto = '';
  /** That of the body, -1 if only its end will tell. */
  #length = -1;
  /** Where the response goes; set when its head is written. */
  #response: ResponseWriter | null = null;
  #passStatus = 0;
  #flushes = false;
  /** What came of a body that is passed on in one piece; `null` for one that is not. */
  #buffer: Buffer[] | null = null;
  #buffered = 0;

  constructor(parts: ProxyParts, exchange: Exchange) {
    super(exchange);
    this.parts = parts;
  }

  /** The head of the response has come. */
  protected setResponse(status: number, proto: string, headers: HeaderMap, length: number): void {
    this.status = status;
    this.responseHeaders = headers;
    this.#proto = proto;
    this.#length = length;
  }

  /** Forgets what was kept of a response no one has seen: it is as if there was none. */
  protected forgetResponse(): void {
    this.#buffer = null;
    this.#buffered = 0;
  }

  /** Whether the client sees what becomes of the response. */
  protected get isPassing(): boolean {
    return this.#response !== null;
  }

  get holds(): boolean {
    return this.#buffer !== null || this.exchange.writer.holds;
  }

  /** The response is to go to the client, with this status. */
  protected beginPassing(status: number): void {
    this.#passStatus = status;
    if (this.parts.responseBuffer > 0 && this.#length !== 0) this.#buffer = [];
    else this.#writeHead();
  }

  #writeHead(): void {
    const { exchange } = this;
    const { responseOperations, responseOperationsFor, flushes } = this.parts;
    const headers = this.responseHeaders as HeaderMap;
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
    // A stream is sent before anyone knows how it begins: it has no type but that of the upstream, as in the reference.
    if (unknown && type === undefined && !response.headers.has('content-type'))
      response.headers.append('content-type', '');
    this.#flushes = flushes || unknown || (type !== undefined && type.startsWith('text/event-stream'));
    // The HTTP/1 engine keeps no chunk after it has written it; filters, and HTTP/2, may.
    this.borrows = response === exchange.writer && exchange.proto !== 'HTTP/2.0';
    response.writeHead(this.#passStatus);
    if (this.borrows) response.gather();
  }

  /** Passes a piece of the body on. False: the client has to read first; see {@link drained}. */
  protected passData(chunk: Buffer): boolean {
    this.received += chunk.length;
    const buffer = this.#buffer;
    if (buffer === null) {
      const response = this.#response as ResponseWriter;
      if (this.borrows) response.gather();
      return response.write(chunk);
    }
    buffer.push(chunk);
    this.#buffered += chunk.length;
    return this.#buffered < this.parts.responseBuffer || this.#writeBuffer(buffer);
  }

  /** The same of a piece that is overwritten later. Only while {@link borrows}. */
  protected passSpan(bytes: Buffer, from: number, to: number): boolean {
    const response = this.#response as ResponseWriter;
    this.received += to - from;
    response.gather();
    return response.writeSpan(bytes, from, to);
  }

  /** What was kept is complete, or too much. */
  #writeBuffer(buffer: Buffer[]): boolean {
    this.#buffer = null;
    this.#writeHead();
    if (buffer.length === 0) return true;
    return (this.#response as ResponseWriter).write(
      buffer.length === 1 ? (buffer[0] as Buffer) : Buffer.concat(buffer),
    );
  }

  /** Resolves when more can be written; rejects if the client has gone. */
  protected drained(): Promise<void> {
    return (this.#response as ResponseWriter).drained();
  }

  onLull(): void {
    if (this.#flushes) (this.#response as ResponseWriter).flush();
    else if (this.borrows) (this.#response as ResponseWriter).gathered();
  }

  /** Sends what came, so that the client sees how far it got. */
  protected flushResponse(): void {
    this.#response?.flush();
  }

  /** The response is complete. */
  protected endResponse(trailers: HeaderMap | null): void {
    if (this.#buffer !== null) this.#writeBuffer(this.#buffer);
    const response = this.#response as ResponseWriter;
    if (trailers !== null) response.setTrailers(trailers);
    response.end();
  }
}
