/**
 * Response of an exchange: headers until they are written, followed by the body. The bottom writer belongs to an HTTP engine. Handlers that
 * change responses (such as `encode`, `templates`, and `intercept`) wrap the current writer in a {@link ResponseFilter}.
 */
import type { HeaderMap } from '@sluice/http1';
import type { FileSender } from '@sluice/native';

/** Maximum number of bytes that a single response may buffer for a client that does not read. */
export const largestPiece: number = 256 * 1024;

/** Error messages for bodies that do not match the declared length. */
export const tooLong = 'the body is longer than its Content-Length';
export const tooShort = 'the body is shorter than its Content-Length';

/** A chunk of a body. Strings are written as UTF-8. */
export type Chunk = string | Buffer;

/**
 * Writes a response. Make the calls in this order: set `headers`, call `writeInformational` any number of times, call `writeHead(status)`
 * once, `write` the chunks, and call `end`. If `writeHead` is not called, `write` and `end` send status 200. If no handler calls `end`, the
 * server calls it. Writes after `end` are ignored. The innermost writer enforces the declared `Content-Length`. It drops excess data,
 * because a client would parse that data as another response. If the lengths differ, the writer closes the connection or stream.
 */
export abstract class ResponseWriter {
  /**
   * Response headers. All filters of an exchange share this object. Changes have no effect once the headers are written. If a body has no
   * `Content-Type`, the type is detected. An empty value suppresses the header.
   */
  abstract readonly headers: HeaderMap;
  /** Response status. 0 until the headers are written. */
  abstract readonly status: number;
  abstract readonly ended: boolean;
  /** Number of body bytes written to the client. */
  abstract readonly size: number;
  /** Reason why the response is incomplete. Empty if it is complete. The bottom writer or the server sets this field. */
  broken = '';
  /** True if the connection or stream has become a tunnel, such as a WebSocket. The bottom writer sets this field. */
  upgraded = false;
  /** True to record {@link headAt}. Must be set before the headers are written. */
  timed = false;
  /**
   * Time at which the headers were written, in milliseconds of `performance.now()`. 0 until the headers are written, or if {@link timed} is
   * false.
   */
  headAt = 0;

  /** True if bytes passed to {@link write} may still be in use, or if the writer can't determine their use. */
  get holds(): boolean {
    return true;
  }

  /**
   * True if the client has disconnected. Producers must check this property before each expensive chunk. Always false for writers that have
   * no client.
   */
  get gone(): boolean {
    return false;
  }

  /** Recommended chunk size in bytes. The size is smaller if many responses share a connection. */
  get pieceSize(): number {
    return largestPiece;
  }

  /** Writes the status and the current `headers`. Repeated calls are ignored. */
  abstract writeHead(status: number): void;
  /**
   * Sends a 1xx response with the given headers (RFC 9110 §15.2), if the protocol supports interim responses. Returns false if the caller
   * must wait for {@link drained} before sending more.
   */
  abstract writeInformational(status: number, headers: HeaderMap): boolean;
  /**
   * Writes a chunk of the body. If this method returns false, the caller must wait for {@link drained}, so that data for slow clients
   * doesn't accumulate in memory.
   */
  abstract write(chunk: Chunk): boolean;
  /** Writes the bytes of `bytes` from `from` up to, but not including, `to`. The buffer may be overwritten once this method returns. */
  writeSpan(bytes: Buffer, from: number, to: number): boolean {
    return this.write(Buffer.from(bytes.subarray(from, to)));
  }
  /**
   * Sends the bytes of an open file from `from` up to, but not including, `to` as part of the body. Does not read them into memory. Returns
   * the number of bytes that the client accepted immediately. Returns 0 if the caller must wait, and a negative number if the caller must
   * use {@link write}. The caller keeps ownership of the file descriptor.
   */
  sendFile(_send: FileSender, _file: number, _from: number, _to: number): number {
    return -1;
  }
  /** Writes an optional last chunk and ends the response. If the headers are not written yet, they include the length, which is now known. */
  abstract end(chunk?: Chunk): void;
  /** Sends the buffered data. */
  abstract flush(): void;
  /** Collects subsequent writes until {@link gathered} is called, so that they are sent together. Only for writers without filters. */
  gather(): void {}
  /** Sends the collected data. `flush` and `end` also send it. */
  gathered(): void {}
  /** Resolves when more data can be written. Rejects if the client has disconnected. */
  abstract drained(): Promise<void>;
  /** Sets the trailers to send after the body, if the protocol supports trailers. Call this method before `end`. */
  abstract setTrailers(trailers: HeaderMap): void;

  /** Records the time at which the headers are written. Called by the innermost writer. */
  protected clockHead(): void {
    if (this.timed) this.headAt = performance.now();
  }
}

/** A writer that wraps another writer. Subclasses override only the methods that they change. */
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
