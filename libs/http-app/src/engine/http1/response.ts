/**
 * Writes the response to an HTTP/1.1 request (RFC 9112 §4, §6, §7). Holds back the headers until the first body bytes. If the response ends
 * earlier, its length is known, and everything is sent in one write.
 */
import { toLatin1 } from '@sluice/base';
import { ClientGoneError } from '../../errors.ts';
import type { FileSender } from '@sluice/native';
import { HeaderMap, dateLine, composeHead, type ComposedHead, fieldLines, fieldNames, statusLine } from '@sluice/http1';
import { ResponseWriter, tooLong, tooShort, type Chunk } from '../../exchange/response.ts';
import { sniffContentType } from '../../sniff.ts';
import { asText, bytesOf, maxBytesAsText } from './chunk-forms.ts';
import type { Output } from './output.ts';
import type { ResponseCarrier } from './response-carrier.ts';

/** Maximum body size to buffer until the length is known, in bytes, as in Caddy. */
const maxHeld = 2048;

/** Framing of the response body (RFC 9112 §6). `undecided` means that the framing has not been determined yet. */
const undecided = 0;
const noBody = 1;
const byLength = 2;
const byChunks = 3;
const byClose = 4;

export class Http1Response extends ResponseWriter {
  readonly headers: HeaderMap = new HeaderMap();
  status = 0;
  ended = false;
  /** Number of body bytes that handlers have written. */
  size = 0;
  readonly #carrier: ResponseCarrier;
  readonly #output: Output;
  readonly #isHead: boolean;
  readonly #minor: number;
  /** Copy of the response headers at the time when they were written. */
  #head: ComposedHead | null = null;
  #framing = undecided;
  /** Start of the body, which is buffered together with the headers. One character per byte. */
  #held = '';
  #left = 0;
  /** True if the connection can be reused after this response. */
  #persist = true;
  #trailers: HeaderMap | null = null;

  constructor(carrier: ResponseCarrier, isHead: boolean, minor: number) {
    super();
    this.#carrier = carrier;
    this.#output = carrier.output;
    this.#isHead = isHead;
    this.#minor = minor;
    this.headers.append('server', 'Sluice');
  }

  override get holds(): boolean {
    return this.#output.holds;
  }

  override get gone(): boolean {
    return this.#carrier.gone;
  }

  writeHead(status: number): void {
    if (this.status !== 0 || this.ended) return;
    if (status < 200 && status !== 101) {
      // An empty content type means that the response has no content type.
      if (this.headers.get('content-type') === '') this.headers.delete('content-type');
      this.writeInformational(status, this.headers);
      return;
    }
    this.status = status;
    this.clockHead();
    this.#head = composeHead(status, this.#minor, this.headers);
    if (status < 200) this.flush();
  }

  writeInformational(status: number, headers: HeaderMap): boolean {
    if (this.status !== 0 || this.ended || this.#minor === 0 || this.#carrier.gone) return true;
    this.#output.text(`${statusLine(status, this.#minor)}${fieldLines(headers)}\r\n`);
    return !this.#output.full;
  }

  write(chunk: Chunk): boolean {
    if (this.ended) return true;
    if (this.#carrier.gone) return false;
    if (this.status === 0) this.writeHead(200);
    if (chunk.length === 0) return true;
    if (this.#framing === undecided) {
      if (this.#held.length + chunk.length <= maxHeld) {
        this.#held += typeof chunk === 'string' ? toLatin1(chunk) : chunk.toString('latin1');
        return true;
      }
      this.#holdHead(chunk);
    }
    if (!this.#writeBody(chunk)) this.#output.gathered();
    return !this.#output.full && !this.#output.spent;
  }

  override writeSpan(bytes: Buffer, from: number, to: number): boolean {
    if (this.ended) return true;
    if (this.#carrier.gone) return false;
    if (this.status === 0) this.writeHead(200);
    const size = to - from;
    if (size === 0) return true;
    if (this.#framing === undecided) {
      if (this.#held.length + size <= maxHeld) {
        this.#held += bytes.toString('latin1', from, to);
        return true;
      }
      this.#holdHead((this.#head as ComposedHead).untyped ? bytes.subarray(from, to) : '');
    }
    const written =
      size <= maxBytesAsText
        ? this.#writeText(bytes.toString('latin1', from, to))
        : this.#writeBytes(bytes.subarray(from, to), true);
    if (!written) this.#output.gathered();
    return !this.#output.full && !this.#output.spent;
  }

  override sendFile(send: FileSender, file: number, from: number, to: number): number {
    if (this.ended || this.#carrier.gone) return -1;
    if (this.status === 0) this.writeHead(200);
    if (this.#framing === undecided) this.#holdHead();
    if (this.#framing !== byLength || to - from > this.#left) return -1;
    const count = this.#output.sendFile(send, file, from, to);
    if (count > 0) {
      this.#left -= count;
      this.size += count;
    }
    return count;
  }

  end(chunk?: Chunk): void {
    if (this.ended) return;
    if (this.status === 0) this.writeHead(200);
    this.ended = true;
    if (this.#carrier.gone) this.#persist = false;
    else if (this.#framing === undecided) this.#endWhole(chunk ?? '');
    else this.#endStream(chunk ?? '');
    this.#output.gathered();
    this.#carrier.responded(this.#persist);
  }

  flush(): void {
    if (this.ended || this.#carrier.gone) return;
    if (this.status === 0) this.writeHead(200);
    if (this.#framing === undecided) this.#holdHead();
    this.#output.gathered();
  }

  override gather(): void {
    this.#output.gather();
  }

  override gathered(): void {
    this.#output.gathered();
  }

  drained(): Promise<void> {
    return this.#carrier.gone ? Promise.reject(new ClientGoneError()) : this.#carrier.drained();
  }

  setTrailers(trailers: HeaderMap): void {
    this.#trailers = trailers;
  }

  /** Stops writing because the connection was handed over. Called by the connection. */
  detach(): void {
    this.ended = true;
    this.upgraded = true;
  }

  /** Sends the entire response at once. Its length is known, because nothing has been sent yet. */
  #endWhole(last: Chunk): void {
    const head = this.#head as ComposedHead;
    if (!mayHaveBody(this.status) || ((head.wantsChunks || this.#trailers !== null) && this.#minor > 0)) {
      this.#holdHead();
      this.#endStream(last);
      return;
    }
    const text = asText(last);
    const bytes = text === null ? bytesOf(last) : null;
    const size = this.#held.length + (bytes === null ? (text as string).length : bytes.length);
    this.size = size;
    let length = size;
    if (this.#isHead) length = head.declared >= 0 ? head.declared : size > 0 ? size : -1;
    else if (head.declared >= 0 && head.declared !== size) {
      this.#break(size > head.declared ? tooLong : tooShort);
      length = head.declared;
      if (size > length) this.size = 0;
    }
    const type = head.untyped && size > 0 ? this.#typeLine(last) : '';
    const start = `${head.text}${type}${this.#headEnd(head, length < 0 ? '' : `Content-Length: ${length}\r\n`)}${this.#isHead ? '' : this.#held}`;
    // Drop a body that exceeds the declared length, as Caddy does. Clients would parse the excess bytes as the next response.
    if (this.#isHead || size > length) this.#output.text(start);
    else if (bytes === null) this.#output.text(`${start}${text}`);
    else this.#output.bytes(start, bytes, '');
  }

  /** Returns a `Content-Type` header line with the type detected from the start of the body. Used if the response has no content type. */
  #typeLine(first: Chunk): string {
    // Buffered text has one character per byte.
    const begin = this.#held === '' ? first : Buffer.from(this.#held, 'latin1');
    return begin.length === 0 ? '' : `Content-Type: ${sniffContentType(begin)}\r\n`;
  }

  /** Buffers the headers and the first data, because the length is not known yet. The next write sends both. */
  #holdHead(first: Chunk = ''): void {
    const head = this.#head as ComposedHead;
    const { declared } = head;
    let line = '';
    let body = this.#held;
    if (!mayHaveBody(this.status) || this.#isHead) {
      this.#framing = noBody;
      if (mayHaveBody(this.status) && declared >= 0) line = `Content-Length: ${declared}\r\n`;
      if (this.status < 200) this.#persist = false;
      body = '';
    } else if (declared >= 0 && !head.wantsChunks) {
      this.#framing = byLength;
      line = `Content-Length: ${declared}\r\n`;
      if (body.length > declared) {
        this.#break(tooLong);
        body = '';
      }
      this.#left = declared - body.length;
    } else if (this.#minor > 0) {
      this.#framing = byChunks;
      line = `${this.#trailerLine(head)}Transfer-Encoding: chunked\r\n`;
      if (body !== '') body = `${body.length.toString(16)}\r\n${body}\r\n`;
    } else {
      this.#framing = byClose;
      this.#persist = false;
    }
    if (this.#framing !== noBody || this.#isHead) this.size += this.broken === '' ? this.#held.length : 0;
    const type = head.untyped && this.#framing !== noBody ? this.#typeLine(first) : '';
    this.#held = '';
    this.#output.hold(`${head.text}${type}${this.#headEnd(head, line)}${body}`);
  }

  #trailerLine(head: ComposedHead): string {
    if (this.#trailers === null || head.announced) return '';
    const names = fieldNames(this.#trailers);
    return names === '' ? '' : `Trailer: ${names}\r\n`;
  }

  /** Returns the end of the header section: date, framing, connection options, and the empty line. */
  #headEnd(head: ComposedHead, framing: string): string {
    if (this.#persist && (head.wantsClose || !this.#carrier.mayPersist())) this.#persist = false;
    const date = head.dated ? '' : dateLine(this.#carrier.moment());
    if (this.#persist && this.#minor > 0 && head.connection === '') return `${date}${framing}\r\n`;
    const options = head.connection === '' ? [] : [head.connection];
    if (this.status >= 200) {
      if (this.#persist && this.#minor === 0) options.push('keep-alive');
      if (!this.#persist && (this.#minor > 0 || head.wantsClose)) options.push('close');
    }
    const connection = options.length === 0 ? '' : `Connection: ${options.join(', ')}\r\n`;
    return `${date}${framing}${connection}\r\n`;
  }

  /** Writes a body chunk. Returns false if the response cannot accept the chunk. */
  #writeBody(chunk: Chunk): boolean {
    const text = asText(chunk);
    return text === null ? this.#writeBytes(bytesOf(chunk), false) : this.#writeText(text);
  }

  #writeText(text: string): boolean {
    const { length } = text;
    if (!this.#takes(length)) return false;
    this.#output.text(this.#framing === byChunks ? `${length.toString(16)}\r\n${text}\r\n` : text);
    return true;
  }

  /** Writes bytes. If `lent` is true, the bytes are overwritten later. */
  #writeBytes(bytes: Buffer, lent: boolean): boolean {
    if (!this.#takes(bytes.length)) return false;
    const isChunk = this.#framing === byChunks;
    this.#output.bytes(isChunk ? `${bytes.length.toString(16)}\r\n` : '', bytes, isChunk ? '\r\n' : '', lent);
    return true;
  }

  /** Counts a chunk of `size` bytes. Returns false if the response cannot accept the chunk. */
  #takes(size: number): boolean {
    if (this.#framing === noBody) return false;
    if (this.#framing === byLength) {
      if (size > this.#left) {
        this.#break(tooLong);
        return false;
      }
      this.#left -= size;
    }
    this.size += size;
    return true;
  }

  #endStream(last: Chunk): void {
    if (last.length > 0) this.#writeBody(last);
    if (this.#framing === byChunks)
      this.#output.text(`0\r\n${this.#trailers === null ? '' : fieldLines(this.#trailers)}\r\n`);
    else if (this.#framing === byLength && this.#left > 0) this.#break(tooShort);
  }

  /** Marks the response as incomplete. Its body does not match the declared length, so the connection cannot be reused. */
  #break(reason: string): void {
    this.#persist = false;
    if (this.broken === '') this.broken = reason;
  }
}

/** Reports whether a final response with the given status can have a body (RFC 9112 §6.3). */
export function mayHaveBody(status: number): boolean {
  return status >= 200 && status !== 204 && status !== 304;
}
