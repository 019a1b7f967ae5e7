/**
 * The response of an exchange: header fields until the head is written, followed by the body. The bottom writer belongs to an engine.
 * Handlers that change responses (encode, templates, intercept …) wrap the current writer in a {@link ResponseFilter}.
 */
import type { HeaderMap } from '@sluice/http1';
import type { FileSender } from '@sluice/native';

/** Maximum number of bytes that one response may buffer for a client that doesn't read. */
export const largestPiece: number = 256 * 1024;

/** Errors for bodies that don't match the declared length. */
export const tooLong = 'the body is longer than its Content-Length';
export const tooShort = 'the body is shorter than its Content-Length';

/** A piece of a body. Strings are written as UTF-8. */
export type Chunk = string | Buffer;

/**
 * Writes a response. Order of calls: set `headers`, `writeInformational` any number of times, `writeHead(status)` once,
 * `write` chunks, `end`. Without a head, `write` and `end` write a head of status 200. If no handler calls `end`, the
 * server does. After `end`, writes are ignored.
 * The innermost writer enforces the Content-Length of the head. Excess data is dropped, because a client would parse it
 * as another response. A length mismatch closes the connection or stream.
 */
export abstract class ResponseWriter {
  /**
   * Header fields. All filters of an exchange share the object. Changes after the head have no effect. A body without Content-Type gets a
   * detected type; an empty value suppresses the field.
   */
  abstract readonly headers: HeaderMap;
  /** Status of the written head; 0 before it is written. */
  abstract readonly status: number;
  abstract readonly ended: boolean;
  /** Number of body bytes written to the client. */
  abstract readonly size: number;
  /** Reason for an incomplete response; empty if the response is complete. Set by the bottom writer or the server. */
  broken = '';
  /** True if the connection or stream became a tunnel, for example a WebSocket. Set by the bottom writer. */
  upgraded = false;
  /** True to record {@link headAt}; set before the head is written. */
  timed = false;
  /** Time the head was written, in milliseconds of `performance.now()`; 0 before, or if not {@link timed}. */
  headAt = 0;

  /** True if bytes passed to {@link write} may still be in use, or if the writer can't know. */
  get holds(): boolean {
    return true;
  }

  /**
   * True if the client has disconnected. Producers check this before each expensive chunk. Always false for writers
   * without a client.
   */
  get gone(): boolean {
    return false;
  }

  /** Recommended chunk size in bytes; smaller if many responses share a connection. */
  get pieceSize(): number {
    return largestPiece;
  }

  /** Writes the head with the current `headers`. A second call is ignored. */
  abstract writeHead(status: number): void;
  /**
   * Sends a 1xx response with these fields (RFC 9110 §15.2), if the protocol supports interim responses. Returns false if the caller should
   * wait for {@link drained} before sending more.
   */
  abstract writeInformational(status: number, headers: HeaderMap): boolean;
  /** Writes a chunk of the body. Returns false if the caller should wait for {@link drained}, so that a slow client uses no memory. */
  abstract write(chunk: Chunk): boolean;
  /** Writes `bytes[from..to)`, which may be overwritten as soon as this returns. */
  writeSpan(bytes: Buffer, from: number, to: number): boolean {
    return this.write(Buffer.from(bytes.subarray(from, to)));
  }
  /**
   * Sends bytes `[from, to)` of an open file as a chunk of the body without reading them into memory. Returns the number of bytes that the
   * client accepted immediately: 0 if it must wait, negative if this writer or file requires {@link write}. The caller still owns the
   * descriptor.
   */
  sendFile(_send: FileSender, _file: number, _from: number, _to: number): number {
    return -1;
  }
  /** Writes an optional last chunk and ends the response. If the head is not written yet, the length is known and sent. */
  abstract end(chunk?: Chunk): void;
  /** Sends the buffered data. */
  abstract flush(): void;
  /** Collects subsequent writes until {@link gathered}, so that they are sent together. For writers without filters. */
  gather(): void {}
  /** Sends the collected data. `flush` and `end` do so too. */
  gathered(): void {}
  /** Resolves when more can be written; rejects if the client has disconnected. */
  abstract drained(): Promise<void>;
  /** Sets fields to send after the body, if the protocol supports it. Call before `end`. */
  abstract setTrailers(trailers: HeaderMap): void;

  /** Records the time of the head. Called by the innermost writer when it writes a head. */
  protected clockHead(): void {
    if (this.timed) this.headAt = performance.now();
  }
}

/** A writer that wraps another writer. Override only methods that change. */
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
