/**
 * The response of an exchange: header fields until the head is written, then the body. An engine stands at the bottom;
 * handlers that change responses (encode, templates, intercept …) put a {@link ResponseFilter} on top of what they find.
 */
import type { HeaderMap } from '@sluice/http1';
import type { FileSender } from '@sluice/native';

/** What one response may hold for a client that does not read. */
export const largestPiece: number = 256 * 1024;

/** Errors of bodies that do not have the length that the head of their response declares. */
export const tooLong = 'the body is longer than its Content-Length';
export const tooShort = 'the body is shorter than its Content-Length';

/** A piece of a body. Texts are written as UTF-8. */
export type Chunk = string | Buffer;

/**
 * Writes a response. Life: set `headers`, `writeHead(status)` once (`writeInformational` before it as often as wanted),
 * `write` chunks, `end`. `write` and `end` without a head write a head of status 200. Whoever does not call `end` leaves
 * it to the server, which ends the response when the handler chain is done. After `end`, writes are ignored.
 *
 * The writer at the bottom bounds the body by the Content-Length of the head, whoever has set it: a piece that goes beyond is
 * dropped, as a client would take the rest for another response, and a body of another length ends the connection or stream.
 */
export abstract class ResponseWriter {
  /**
   * Fields of the head; the same object for every filter of an exchange. Changes after the head have no effect. A body
   * without Content-Type gets the one that it looks like; an empty one says that there is none, and is not sent.
   */
  abstract readonly headers: HeaderMap;
  /** Status of the head that was written; 0 before. */
  abstract readonly status: number;
  /** Whether `end` was called. */
  abstract readonly ended: boolean;
  /** Bytes of the body that were written so far, as they go to the client. */
  abstract readonly size: number;
  /** Why the client does not get the whole response; empty if it does. Set by the writer at the bottom, or by the server. */
  broken = '';
  /** True if the connection or stream has become a tunnel, such as a WebSocket. Set by the lowest writer. */
  upgraded = false;
  /** Whether the time is wanted: {@link headAt}; set before the head is written. */
  timed = false;
  /** When the head was written, in milliseconds of `performance.now()`; 0 before, or if it is not {@link timed}. */
  headAt = 0;

  /** Whether bytes that were given to {@link write} may still be in use here. Writers that cannot tell say yes. */
  get holds(): boolean {
    return true;
  }

  /**
   * Whether the client is gone, so that no one reads the response. Producers ask before each piece that costs something to make. The default is
   * for writers that have no client.
   */
  get gone(): boolean {
    return false;
  }

  /** How many bytes are best written at a time: less where many responses share what a connection may hold. */
  get pieceSize(): number {
    return largestPiece;
  }

  /** Writes the head: `headers` as they are now. A second call is ignored. */
  abstract writeHead(status: number): void;
  /**
   * Sends a 1xx response with these fields (RFC 9110 §15.2), where the protocol has them. False asks who sends many of them
   * to wait for {@link drained}.
   */
  abstract writeInformational(status: number, headers: HeaderMap): boolean;
  /** Writes a piece of the body. False asks to wait for {@link drained}, so that a slow client costs no memory. */
  abstract write(chunk: Chunk): boolean;
  /** Writes the piece `bytes[from..to)`, which may be overwritten as soon as this returns. */
  writeSpan(bytes: Buffer, from: number, to: number): boolean {
    return this.write(Buffer.from(bytes.subarray(from, to)));
  }
  /**
   * Sends bytes `[from, to)` of an open file as a piece of the body, without reading them into memory. Returns the number of bytes that the
   * client took at once: 0 if it has to wait, negative if this writer or the file needs {@link write}. The descriptor stays the caller's.
   */
  sendFile(_send: FileSender, _file: number, _from: number, _to: number): number {
    return -1;
  }
  /** Writes a last piece, if given, and ends. With the head not written yet the length is known and sent. */
  abstract end(chunk?: Chunk): void;
  /** Sends what is buffered so far. */
  abstract flush(): void;
  /** What is written from now on may wait for {@link gathered}, so that it leaves together. For writers without filters. */
  gather(): void {}
  /** Sends what was gathered. So do `flush` and `end`. */
  gathered(): void {}
  /** Resolves when more can be written; rejects if the client has gone. */
  abstract drained(): Promise<void>;
  /** Fields to send after the body, if the protocol can. Call before `end`. */
  abstract setTrailers(trailers: HeaderMap): void;

  /** Takes the time of the head. Called by the writer at the bottom when it writes one. */
  protected clockHead(): void {
    if (this.timed) this.headAt = performance.now();
  }
}

/** A writer on top of another: override what you change. */
export class ResponseFilter extends ResponseWriter {
  readonly inner: ResponseWriter;
  readonly headers: HeaderMap;

  constructor(inner: ResponseWriter) {
    super();
    this.inner = inner;
    this.headers = inner.headers;
  }

  get status(): number {
    return this.inner.status;
  }

  get ended(): boolean {
    return this.inner.ended;
  }

  get size(): number {
    return this.inner.size;
  }

  override get pieceSize(): number {
    return this.inner.pieceSize;
  }

  override get gone(): boolean {
    return this.inner.gone;
  }

  writeHead(status: number): void {
    this.inner.writeHead(status);
  }

  writeInformational(status: number, headers: HeaderMap): boolean {
    return this.inner.writeInformational(status, headers);
  }

  write(chunk: Chunk): boolean {
    return this.inner.write(chunk);
  }

  end(chunk?: Chunk): void {
    this.inner.end(chunk);
  }

  flush(): void {
    this.inner.flush();
  }

  drained(): Promise<void> {
    return this.inner.drained();
  }

  setTrailers(trailers: HeaderMap): void {
    this.inner.setTrailers(trailers);
  }
}
