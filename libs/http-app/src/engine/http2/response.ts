/** Writes the response to an HTTP/2 request (RFC 9113 §8.3.2), by the core stream API. */
import type { ServerHttp2Stream } from 'node:http2';
import { encodeBytes, guarded, isToken, toLatin1, type Guarded } from '@sluice/base';
import { ClientGoneError } from '../../errors.ts';
import { HeaderMap, safeValue } from '@sluice/http1';
import { ResponseWriter, type Chunk } from '../../exchange/response.ts';
import { sniffContentType } from '../../sniff.ts';
import { hasLongQueue, queueDrained } from './outbound-queue.ts';
import { Waiters } from '../waiters.ts';
import type { Unsent } from './unsent.ts';
import { hopByHop, wireStatus, addFields } from './response-fields.ts';

/** Bodies up to this size are held back for their length to be known. */
const maxHeld = 2048;

/** Is told what becomes of a response. */
export interface ResponseWatch {
  /** The client has to take what waits to be sent. */
  awaitRoom(): void;
  /** It has done so. */
  roomMade(): void;
  /** The handlers have ended the response. */
  answered(): void;
}

/** What a response is made with. */
export interface Http2ResponseOptions {
  readonly isHead: boolean;
  /** A WebSocket was asked for. */
  readonly isWebSocket: boolean;
  /** What the connection holds for its client. */
  readonly unsent: Unsent;
  readonly watch: ResponseWatch;
  /** Has what callbacks of the stream throw. */
  readonly owner: Guarded;
}

/** Response of one stream. */
export class Http2Response extends ResponseWriter {
  readonly headers: HeaderMap = new HeaderMap();
  status = 0;
  ended = false;
  /** Bytes of the body so far, as given by the handlers. */
  size = 0;
  readonly #stream: ServerHttp2Stream;
  readonly #owner: Guarded;
  readonly #isHead: boolean;
  readonly #isWebSocket: boolean;
  readonly #watch: ResponseWatch;
  readonly #unsent: Unsent;
  readonly #waiters = new Waiters();
  /** Made at the first write: most responses leave with their head. */
  #onWritten: (() => void) | null = null;
  /** What the connection knows that this stream holds. */
  #counted = 0;
  /** Names and values in turn; `null` before the head is written and when it was sent. */
  #fields: string[] | null = null;
  #held = '';
  #declared = -1;
  /** Whether the content type is to be found by the body. */
  #untyped = false;
  #trailers: HeaderMap | null = null;

  constructor(stream: ServerHttp2Stream, { isHead, isWebSocket, unsent, watch, owner }: Http2ResponseOptions) {
    super();
    this.#stream = stream;
    this.#owner = owner;
    this.#isHead = isHead;
    this.#isWebSocket = isWebSocket;
    this.#watch = watch;
    this.#unsent = unsent;
    this.headers.append('server', 'Sluice');
  }

  override get holds(): boolean {
    return this.#stream.writableLength > 0;
  }

  override get pieceSize(): number {
    return this.#unsent.pieceSize(this.size);
  }

  #write(bytes: Buffer): void {
    this.#onWritten ??= guarded(this.#owner, () => this.#written());
    this.#stream.write(bytes, this.#onWritten);
  }

  /** Something was sent. */
  #written(): void {
    if (this.#count() > 0) return;
    this.#unsent.drains++;
    this.#watch.roomMade();
    this.#waiters.resolve();
  }

  /** Tells the connection how much this stream holds. */
  #count(): number {
    const held = this.gone ? 0 : this.#stream.writableLength;
    this.#unsent.held += held - this.#counted;
    this.#counted = held;
    return held;
  }

  /** Whether the stream is closed for us. */
  get gone(): boolean {
    return this.#stream.destroyed || this.#stream.closed;
  }

  writeHead(status: number): void {
    if (this.status !== 0 || this.ended) return;
    if (status < 200 && status !== 101) {
      this.writeInformational(status, this.headers);
      return;
    }
    this.status = status;
    this.clockHead();
    const fields = [':status', String(wireStatus(status, this.#isWebSocket))];
    addFields(fields, this.headers, status);
    const length = this.headers.get('content-length');
    if (length !== undefined && Number.isSafeInteger(Number(length))) this.#declared = Number(length);
    this.#untyped = !this.headers.has('content-type') && !this.headers.has('content-encoding');
    this.#fields = fields;
  }

  writeInformational(status: number, headers: HeaderMap): boolean {
    if (this.status !== 0 || this.ended || this.gone || status === 101) return true;
    const fields: Record<string, string | string[] | number> = { ':status': status };
    for (const [name, value] of headers) {
      if (!hopByHop.has(name) && isToken(name))
        fields[name] = [...((fields[name] as string[] | undefined) ?? []), safeValue(value)];
    }
    this.#stream.additionalHeaders(fields);
    return !hasLongQueue(this.#stream);
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
    this.size += bytes.length;
    this.#write(bytes);
    return this.#unsent.mayTakeMore(this.#count());
  }

  end(chunk?: Chunk): void {
    if (this.ended) return;
    if (this.status === 0) this.writeHead(200);
    this.ended = true;
    if (!this.gone) this.#end(bytesOf(chunk ?? ''));
    this.#watch.answered();
  }

  /** Says that the WebSocket is open, if the head with status 101 is written; the stream belongs to the WebSocket then. */
  openWebSocket(): boolean {
    const fields = this.#fields;
    if (this.status !== 101 || fields === null || this.ended || this.gone) return false;
    this.#fields = null;
    this.ended = true;
    this.#stream.respond(fields);
    return true;
  }

  #end(last: Buffer): void {
    const stream = this.#stream;
    if (this.#fields !== null) {
      const body = this.#held === '' ? last : Buffer.concat([Buffer.from(this.#held, 'latin1'), last]);
      if (this.#mayHaveLength() && body.length > 0) this.#addType(this.#fields, body);
      if (this.#declared < 0 && this.#mayHaveLength() && (!this.#isHead || body.length > 0)) {
        this.#fields.push('content-length', String(body.length));
      }
      const hasTrailers = this.#trailers !== null;
      const isWrong = this.#declared >= 0 && this.#declared !== body.length;
      if (!this.#mayHaveBody() || (body.length === 0 && !isWrong)) {
        this.#respond(!hasTrailers, hasTrailers);
        if (hasTrailers) stream.end();
        return;
      }
      this.#respond(false, hasTrailers);
      this.#endWith(body);
    } else this.#endWith(last);
  }

  #endWith(last: Buffer): void {
    const stream = this.#stream;
    this.size += last.length;
    // A body that is not as long as it was said to be must not look complete.
    if (this.#declared >= 0 && this.#declared !== this.size && !this.#isHead) {
      stream.close(internalError);
      return;
    }
    if (last.length === 0) stream.end();
    else {
      stream.end(last);
      this.#count();
    }
  }

  flush(): void {
    if (this.ended || this.gone) return;
    if (this.status === 0) this.writeHead(200);
    if (this.#fields !== null) this.#sendHead();
  }

  drained(): Promise<void> {
    if (this.gone) return Promise.reject(new ClientGoneError());
    if (this.status === 0 && hasLongQueue(this.#stream)) return queueDrained(this.#stream);
    if (this.#unsent.mayTakeMore(this.#count())) return Promise.resolve();
    this.#watch.awaitRoom();
    return this.#waiters.add();
  }

  setTrailers(trailers: HeaderMap): void {
    this.#trailers = trailers;
  }

  /** The stream was closed. Called by the stream. */
  closed(): void {
    this.#count();
    this.#waiters.reject();
  }

  /** A content type for a body that has none, by how it begins. */
  #addType(fields: string[], begin: Chunk): void {
    if (this.#untyped && begin.length > 0) fields.push('content-type', sniffContentType(begin));
  }

  #sendHead(first: Chunk = ''): void {
    const endsHere = !this.#mayHaveBody();
    if (this.#fields !== null && !endsHere) {
      this.#addType(this.#fields, this.#held === '' ? first : Buffer.from(this.#held, 'latin1'));
    }
    // Trailers may still be set while the body is written.
    this.#respond(endsHere, true);
    if (this.#held === '' || endsHere) return;
    const held = Buffer.from(this.#held, 'latin1');
    this.#held = '';
    this.size += held.length;
    this.#write(held);
  }

  #respond(endStream: boolean, mayHaveTrailers: boolean): void {
    const fields = this.#fields as string[];
    this.#fields = null;
    const stream = this.#stream;
    if (endStream || !this.#mayHaveBody()) {
      stream.respond(fields, { endStream: true });
      return;
    }
    stream.respond(fields, { waitForTrailers: mayHaveTrailers });
    if (!mayHaveTrailers) return;
    stream.on(
      'wantTrailers',
      guarded(this.#owner, () => {
        const lines: Record<string, string> = {};
        for (const [name, value] of this.#trailers ?? [])
          if (isToken(name) && !hopByHop.has(name)) lines[name] = safeValue(value);
        stream.sendTrailers(lines);
      }),
    );
  }

  #mayHaveBody(): boolean {
    return !this.#isHead && this.#mayHaveLength();
  }

  #mayHaveLength(): boolean {
    return this.status >= 200 && this.status !== 204 && this.status !== 205 && this.status !== 304;
  }
}

const internalError = 2;

function bytesOf(chunk: Chunk): Buffer {
  return typeof chunk === 'string' ? encodeBytes(chunk) : chunk;
}
