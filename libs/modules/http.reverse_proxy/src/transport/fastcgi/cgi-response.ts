/** Converts a CGI response (RFC 3875 §6) to HTTP. A CGI response consists of header fields, an empty line, and the body. */
import type { UpstreamSink } from '@sluice/http-app';
import { incomplete, refused, ResponseParser, type HeaderMap } from '@sluice/http1';
import { isSameToken } from '@sluice/base';
import { FramedBody } from '../../common/framed-body.ts';

const maxHeaderBytes = 1024 * 1024;

/** Status line to prepend to CGI responses, which have none. */
const statusLine = Buffer.from('HTTP/0.0 200\r\n');

/**
 * Parses the output of a CGI script and passes it to a sink. The body ends at the declared length, because clients would parse further
 * bytes as another response (response splitting).
 */
export class CgiResponse {
  /** Error in the response head or body. Empty if there is none. */
  problem = '';
  /** True once the response head is complete. */
  begun = false;
  /** Number of bytes dropped after the end of the response body. */
  excess = 0;
  readonly #sink: UpstreamSink;
  readonly #method: string;
  readonly #parser: ResponseParser = new ResponseParser(maxHeaderBytes);
  readonly #body: FramedBody = new FramedBody();
  /** Copy of the output received while the sink was paused. */
  #held: Buffer | null = null;

  constructor(sink: UpstreamSink, method: string) {
    this.#sink = sink;
    this.#method = method;
    this.#parser.feed(statusLine, 0, statusLine.length);
  }

  /** True if the response body may end here: it has reached its declared length, or no length was declared. */
  get complete(): boolean {
    return this.#body.done || this.#body.endsWithConnection;
  }

  /** True if the response body has reached its declared length. */
  get whole(): boolean {
    return this.begun && this.#body.done;
  }

  /** Processes script output. The caller may reuse the buffer afterwards. Returns false if the caller must pause until {@link flush}. */
  push(bytes: Buffer): boolean {
    if (this.begun) return this.#pushBody(bytes);
    const end = this.#parser.feed(bytes, 0, bytes.length);
    if (end === incomplete) return true;
    if (end === refused) {
      this.problem = this.#parser.problem;
      return false;
    }
    const flows = this.#begin();
    if (end === bytes.length) return flows;
    const rest = bytes.subarray(end);
    if (flows) return this.#pushBody(rest);
    this.#held = Buffer.from(rest);
    return false;
  }

  /** Passes held output to the sink. Returns false if the caller must pause again. */
  flush(): boolean {
    const held = this.#held;
    this.#held = null;
    return held === null || this.#pushBody(held);
  }

  #begin(): boolean {
    const { headers } = this.#parser;
    const code = statusOf(headers);
    this.problem = code < 100 ? `invalid Status field ${JSON.stringify(headers.get('status'))}` : problemOf(code);
    const length = lengthOf(headers);
    if (length === differing) this.problem = 'the Content-Length fields have different values';
    if (this.problem !== '') return false;
    this.begun = true;
    const bodiless = this.#method === 'HEAD' || code === 204 || code === 304;
    // CGI has no transfer codings, but some scripts send chunked responses anyway.
    const chunked = isSameToken(headers.get('transfer-encoding') ?? '', 'chunked');
    headers.delete('transfer-encoding');
    if (chunked) headers.delete('content-length');
    this.#body.begin(bodiless ? 0 : chunked ? -1 : length, chunked && !bodiless);
    return this.#sink.onHead(code, 'HTTP/0.0', headers, bodiless ? 0 : chunked ? -1 : length);
  }

  #pushBody(bytes: Buffer): boolean {
    const body = this.#body;
    let at = 0;
    while (at < bytes.length && !body.done) {
      at = body.next(bytes, at, bytes.length);
      if (body.broken) {
        this.problem = 'the chunked body is malformed';
        return false;
      }
      if (body.end === body.start || this.#deliver(bytes, body.start, body.end)) continue;
      if (at < bytes.length) this.#held = Buffer.from(bytes.subarray(at));
      return false;
    }
    this.excess += bytes.length - at;
    return true;
  }

  #deliver(bytes: Buffer, from: number, to: number): boolean {
    return this.#sink.borrows
      ? this.#sink.onSpan(bytes, from, to)
      : this.#sink.onData(Buffer.from(bytes.subarray(from, to)));
  }
}

/** Length that represents conflicting Content-Length fields. */
const differing = -2;

/** Returns the declared body length, or -1 if it is missing or not a number, as in Caddy. */
function lengthOf(headers: HeaderMap): number {
  let length = -1;
  for (const value of headers.all('content-length')) {
    const next = /^\d{1,15}$/.test(value) ? Number(value) : -1;
    if (next < 0) continue;
    if (length >= 0 && length !== next) return differing;
    length = next;
  }
  if (length >= 0) headers.set('content-length', String(length));
  else headers.delete('content-length');
  return length;
}

function statusOf(headers: HeaderMap): number {
  const status = headers.get('status');
  if (status === undefined) return headers.has('location') ? 302 : 200;
  return Number(/^(\d{3})(?:\s|$)/.exec(status)?.[1] ?? 0);
}

/**
 * Returns an error message for an invalid response status, or an empty string. Scripts can't switch protocols, because the connection
 * carries FastCGI records.
 */
function problemOf(status: number): string {
  return status === 101 ? 'it switches protocols' : '';
}
