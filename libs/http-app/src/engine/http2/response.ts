/** Writes the response to an HTTP/2 request (RFC 9113 §8.3.2). */
import { encodeBytes, toLatin1 } from '@sluice/base';
import { dateValue, declaredLength, HeaderMap } from '@sluice/http1';
import { ClientGoneError } from '../../errors.ts';
import { ResponseWriter, tooLong, tooShort, type Chunk } from '../../exchange/response.ts';
import { sniffContentType } from '../../sniff.ts';
import type { MultiplexedStream } from '../multiplexed-stream.ts';
import { Waiters } from '../waiters.ts';
import type { Unsent } from './unsent.ts';
import { addFields, fieldsOf, wireStatus } from './response-fields.ts';

/** Maximum body size to buffer until the length is known, in bytes. */
const maxHeld = 2048;
/** Maximum number of queued interim responses per stream. Flow control does not limit them (RFC 9113 §5.2.1). */
const maxInterim = 64;

/** Receives notifications about the progress of a response. */
export interface ResponseWatch {
  /** Called when the writer must wait until the client has received data. */
  awaitRoom(): void;
  /** Called when the client has received the pending data. */
  roomMade(): void;
  responded(): void;
}

export interface Http2ResponseOptions {
  readonly isHead: boolean;
  /** True if the client requested a WebSocket. */
  readonly isWebSocket: boolean;
  /** Counts the data that the connection buffers for its client. */
  readonly unsent: Unsent;
  readonly watch: ResponseWatch;
}

export class Http2Response extends ResponseWriter {
  readonly headers: HeaderMap = new HeaderMap();
  status = 0;
  ended = false;
  /** Number of body bytes that handlers have written. */
  size = 0;
  readonly #stream: MultiplexedStream;
  readonly #isHead: boolean;
  readonly #isWebSocket: boolean;
  readonly #watch: ResponseWatch;
  readonly #unsent: Unsent;
  #waiters: Waiters | null = null;
  /** Number of this stream's bytes that are included in the connection's count. */
  #counted = 0;
  /** Alternating header names and values. `null` before the headers are written and after they are sent. */
  #fields: string[] | null = null;
  #held = '';
  #declared = -1;
  /** True if the content type must be detected from the body. */
  #untyped = false;
  #trailers: HeaderMap | null = null;

  constructor(stream: MultiplexedStream, { isHead, isWebSocket, unsent, watch }: Http2ResponseOptions) {
    super();
    this.#stream = stream;
    this.#isHead = isHead;
    this.#isWebSocket = isWebSocket;
    this.#watch = watch;
    this.#unsent = unsent;
    this.headers.append('server', 'Sluice');
  }

  override get holds(): boolean {
    return this.#stream.queued > 0;
  }

  override get pieceSize(): number {
    return this.#unsent.pieceSize(this.size);
  }

  /** Called by the stream when all data that it received has been sent. */
  sent(): void {
    if (this.#counted > 0) {
      this.#count();
      this.#unsent.drains++;
    }
    if (this.#waiters === null) return;
    this.#watch.roomMade();
    this.#waiters.resolve();
  }

  /** Adds the bytes that this stream buffers to the connection's count. */
  #count(): number {
    const held = this.#stream.queued;
    this.#unsent.held += held - this.#counted;
    this.#counted = held;
    return held;
  }

  /** True if the server's side of the stream is closed. */
  override get gone(): boolean {
    return this.#stream.closed;
  }

  writeHead(status: number): void {
    if (this.status !== 0 || this.ended) return;
    if (status < 200 && status !== 101) {
      this.writeInformational(status, this.headers);
      return;
    }
    this.status = status;
    this.clockHead();
    const { headers } = this;
    const fields = [':status', String(wireStatus(status, this.#isWebSocket))];
    addFields(fields, headers, status);
    this.#declared = declaredLength(headers);
    if (this.#declared >= 0 && status >= 200 && status !== 204 && status !== 304)
      fields.push('content-length', String(this.#declared));
    this.#untyped = !headers.has('content-type') && !headers.has('content-encoding');
    if (!headers.has('date')) fields.push('date', dateValue(performance.now()));
    this.#fields = fields;
  }

  writeInformational(status: number, headers: HeaderMap): boolean {
    if (this.status !== 0 || this.ended || this.gone || status === 101) return true;
    const fields = [':status', String(status)];
    addFields(fields, headers, status);
    this.#stream.interim(fields);
    return this.#stream.heads.length < maxInterim;
  }

  write(chunk: Chunk): boolean {
    if (this.ended) return true;
    if (this.gone) return false;
    if (this.status === 0) this.writeHead(200);
    if (chunk.length === 0 || !this.#mayHaveBody()) return true;
    if (this.#fields !== null) {
      if (this.#held.length + chunk.length <= maxHeld) {
        this.#held += typeof chunk === 'string' ? toLatin1(chunk) : chunk.toString('latin1');
        return true;
      }
      this.#sendHead(chunk);
    }
    const bytes = bytesOf(chunk);
    if (this.#declared >= 0 && this.size + bytes.length > this.#declared) {
      this.broken = tooLong;
      return true;
    }
    this.size += bytes.length;
    this.#stream.write(bytes);
    return this.#unsent.mayTakeMore(this.#count());
  }

  end(chunk?: Chunk): void {
    if (this.ended) return;
    if (this.status === 0) this.writeHead(200);
    this.ended = true;
    if (!this.gone) this.#end(bytesOf(chunk ?? ''));
    this.#watch.responded();
  }

  /**
   * Opens the WebSocket if a handler has written headers with status 101. The WebSocket then owns the stream. Logs and metrics use the
   * status that was sent (RFC 8441 §5).
   */
  openWebSocket(): boolean {
    const fields = this.#fields;
    if (this.status !== 101 || fields === null || this.ended || this.gone) return false;
    this.#fields = null;
    this.ended = true;
    this.upgraded = true;
    this.status = wireStatus(101, true);
    this.#stream.respond(fields, false);
    return true;
  }

  #end(last: Buffer): void {
    const fields = this.#fields;
    if (fields === null) {
      this.#endWith(last);
      return;
    }
    const body = this.#held === '' ? last : Buffer.concat([Buffer.from(this.#held, 'latin1'), last]);
    if (this.#mayHaveLength()) {
      if (body.length > 0) this.#addType(fields, body);
      if (this.#declared < 0 && (!this.#isHead || body.length > 0)) fields.push('content-length', String(body.length));
    }
    const isWrong = this.#declared >= 0 && this.#declared !== body.length;
    if (!this.#mayHaveBody() || (body.length === 0 && !isWrong)) {
      this.#respond(fields, this.#trailers === null);
      if (this.#trailers !== null) this.#endStream();
      return;
    }
    this.#respond(fields, false);
    this.#endWith(body);
  }

  #endWith(last: Buffer): void {
    this.size += last.length;
    if (this.#declared >= 0 && this.#declared !== this.size && this.#mayHaveBody() && this.broken === '')
      this.broken = this.size > this.#declared ? tooLong : tooShort;
    if (this.broken !== '') {
      this.#stream.reset(this.#stream.codes.internalError);
      return;
    }
    if (last.length > 0) {
      this.#stream.write(last);
      if (last.length > maxHeld) this.#unsent.mayTakeMore(this.#count());
    }
    this.#endStream();
  }

  #endStream(): void {
    this.#stream.end(this.#trailers === null ? null : fieldsOf(this.#trailers));
  }

  flush(): void {
    if (this.ended || this.gone) return;
    if (this.status === 0) this.writeHead(200);
    if (this.#fields !== null) this.#sendHead();
  }

  drained(): Promise<void> {
    if (this.gone) return Promise.reject(new ClientGoneError());
    const hasRoom =
      this.status === 0 ? this.#stream.heads.length < maxInterim : this.#unsent.mayTakeMore(this.#count());
    if (hasRoom) return Promise.resolve();
    this.#watch.awaitRoom();
    this.#waiters ??= new Waiters();
    return this.#waiters.add();
  }

  setTrailers(trailers: HeaderMap): void {
    this.#trailers = trailers;
  }

  closed(): void {
    if (this.#counted > 0) this.#count();
    this.#waiters?.reject();
  }

  /** Adds a content type that is detected from the start of the body, if the response has none. */
  #addType(fields: string[], begin: Chunk): void {
    if (this.#untyped && begin.length > 0) fields.push('content-type', sniffContentType(begin));
  }

  #sendHead(first: Chunk = ''): void {
    const fields = this.#fields;
    if (fields === null) return;
    const endsHere = !this.#mayHaveBody();
    if (!endsHere) this.#addType(fields, this.#held === '' ? first : Buffer.from(this.#held, 'latin1'));
    this.#respond(fields, endsHere);
    if (this.#held === '' || endsHere) return;
    const held = Buffer.from(this.#held, 'latin1');
    this.#held = '';
    if (this.#declared >= 0 && held.length > this.#declared) {
      this.broken = tooLong;
      return;
    }
    this.size += held.length;
    this.#stream.write(held);
  }

  #respond(fields: readonly string[], endStream: boolean): void {
    this.#fields = null;
    this.#stream.respond(fields, endStream);
  }

  #mayHaveBody(): boolean {
    return !this.#isHead && this.#mayHaveLength();
  }

  #mayHaveLength(): boolean {
    return mayHaveContent(this.status);
  }
}

/** Reports whether a response with the given status can have content (RFC 9110 §6.4.1). */
export function mayHaveContent(status: number): boolean {
  return status >= 200 && status !== 204 && status !== 205 && status !== 304;
}

function bytesOf(chunk: Chunk): Buffer {
  return typeof chunk === 'string' ? encodeBytes(chunk) : chunk;
}
