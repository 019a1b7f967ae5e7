/** The response of a CGI script (RFC 3875 §6): header fields, an empty line, and the body, as a response of HTTP. */
import type { UpstreamSink } from '@sluice/http-app';
import { incomplete, refused, ResponseParser } from '@sluice/http1';

const maxHeaderBytes = 1024 * 1024;

/** Stands in for the status line that such responses do not have. */
const statusLine = Buffer.from('HTTP/0.0 200\r\n');

/** Takes the output of a script, and hands it on. */
export class CgiResponse {
  /** What is wrong with the head; empty while nothing is. */
  problem = '';
  readonly #sink: UpstreamSink;
  readonly #parser: ResponseParser = new ResponseParser(maxHeaderBytes);
  /** Whether the head is complete. */
  begun = false;
  /** Bytes of the body that the head promises and that did not come yet; -1 if it says nothing. */
  #left = -1;
  /** Body that came with the head while the sink did not want it. */
  #held: Buffer | null = null;

  constructor(sink: UpstreamSink) {
    this.#sink = sink;
    this.#parser.feed(statusLine, 0, statusLine.length);
  }

  /** Whether the body is as long as the head said. */
  get complete(): boolean {
    return this.#left <= 0;
  }

  /** Takes output. False asks to wait. */
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
    if (flows) return this.#pushBody(bytes.subarray(end));
    this.#held = bytes.subarray(end);
    return false;
  }

  /** Hands on what was held. False asks to wait. */
  flush(): boolean {
    const held = this.#held;
    this.#held = null;
    return held === null || this.#pushBody(held);
  }

  #begin(): boolean {
    const { headers } = this.#parser;
    const status = headers.get('status');
    const code =
      status === undefined ? (headers.has('location') ? 302 : 200) : Number(/^(\d{3})(?:\s|$)/.exec(status)?.[1] ?? 0);
    if (code < 100) {
      this.problem = `its Status is ${JSON.stringify(status)}`;
      return false;
    }
    this.begun = true;
    const length = headers.get('content-length') ?? '';
    this.#left = /^\d{1,15}$/.test(length) ? Number(length) : -1;
    return this.#sink.onHead(code, 'HTTP/0.0', headers, this.#left);
  }

  #pushBody(bytes: Buffer): boolean {
    if (this.#left >= 0) this.#left -= bytes.length;
    return this.#sink.onData(bytes);
  }
}
