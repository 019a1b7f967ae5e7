/** A request and its response on an HTTP/3 client (RFC 9114 §4.1). Has one interface for its user and another for the connection. */
import { failOwner, type Guarded } from '@sluice/base';
import type { HeaderMap } from '@sluice/http1';
import type { QuicStream, StreamUser } from '@sluice/quic';
import { h3Error } from './error-code.ts';
import { frameType, writeMessageFrame } from './frame.ts';
import { MessageReader, type MessageHost } from './message-reader.ts';
import type { ResponseFields } from './response-fields.ts';

/**
 * Kinds of request failures:
 * - `rejected`: the server has not processed the request, so it may be sent again;
 * - `reset`: the server has reset the stream, or its response is malformed;
 * - `lost`: the connection was closed;
 * - `unresponsive`: the connection was closed because no packets arrived.
 */
export type RequestFailure = 'rejected' | 'reset' | 'lost' | 'unresponsive';

/** User of a request. An exception in a callback is passed to the user's `fault` method. */
export interface ResponseOwner extends Guarded {
  onInterim(fields: ResponseFields): void;
  /** Called with the response head. `ended` is true if there is no body. */
  onHead(fields: ResponseFields, ended: boolean): void;
  /**
   * Called with a part of the response body. The user must use or copy the data immediately. It counts against the flow-control windows
   * until `credit` is called.
   */
  onData(bytes: Buffer): void;
  /** Called when the response is complete. The request may not have been sent completely yet. */
  onEnd(trailers: HeaderMap | null): void;
  /** Called when more of the request body can be written. */
  onRoom(): void;
  /** Called if the server doesn't need the rest of the request body. */
  onStopped(): void;
  /** Called instead of `onEnd` if the response can't be completed. */
  onFailed(kind: RequestFailure, reason: string): void;
}

/** Interface through which a stream calls its connection. An exception is treated as a connection error. */
export interface ClientStreamHost {
  readonly maxFieldBytes: number;
  decode(stream: Http3ClientStream, section: Buffer, isTrailers: boolean): ResponseFields | null;
  encode(stream: Http3ClientStream, fields: readonly string[]): Buffer;
  closed(stream: Http3ClientStream): void;
  fail(error: unknown): void;
}

export class Http3ClientStream implements StreamUser, MessageHost<ResponseFields> {
  readonly id: number;
  /** True after the response has completed or failed. */
  closed = false;
  /** True for HEAD requests, whose responses have no body. */
  readonly isHead: boolean;
  readonly #host: ClientStreamHost;
  readonly #quic: QuicStream;
  readonly #owner: ResponseOwner;
  readonly #response: MessageReader<ResponseFields>;

  constructor(host: ClientStreamHost, quic: QuicStream, owner: ResponseOwner, isHead: boolean) {
    this.#host = host;
    this.#quic = quic;
    this.#owner = owner;
    this.isHead = isHead;
    this.id = quic.id;
    this.#response = new MessageReader(this, quic);
    quic.user = this;
  }

  get maxFieldBytes(): number {
    return this.#host.maxFieldBytes;
  }

  /** True if a field section is waiting for QPACK table entries. */
  get blocked(): boolean {
    return this.#response.blocked;
  }

  // Calls by the application

  /** Sends the request head. `fields` alternates lowercase names and Latin-1 values. */
  begin(fields: readonly string[]): void {
    writeMessageFrame(this.#quic, frameType.headers, this.#host.encode(this, fields));
  }

  /** Sends a copy of a body chunk. Returns false if the caller should wait for `onRoom`. */
  write(piece: Buffer): boolean {
    return piece.length === 0 || writeMessageFrame(this.#quic, frameType.data, piece);
  }

  /** Ends the request, optionally with trailers. */
  end(trailers: readonly string[] | null): void {
    if (this.#quic.ending) return;
    if (trailers !== null) this.begin(trailers);
    this.#quic.end();
  }

  /** True if the request has ended and nothing more can be sent. */
  get ending(): boolean {
    return this.#quic.ending;
  }

  /** Credits consumed body bytes, so that the server may send the same number of additional bytes. */
  credit(bytes: number): void {
    this.#quic.credit(bytes);
  }

  /** Cancels the request (RFC 9114 §4.1.1). No callback follows. */
  cancel(): void {
    if (this.closed) return;
    this.#abort(h3Error.requestCancelled);
    this.#close();
  }

  #abort(code: number): void {
    this.#quic.reset(code);
    this.#quic.stopSending(code);
  }

  // QUIC callbacks

  onData(bytes: Buffer): void {
    if (this.closed) this.#quic.credit(bytes.length);
    else this.#response.read(bytes);
  }

  onEnd(): void {
    if (!this.closed) this.#response.end();
  }

  onReset(code: number): void {
    const kind = code === h3Error.requestRejected ? 'rejected' : 'reset';
    this.failWith(kind, `the upstream reset the stream with code 0x${code.toString(16)}`);
  }

  onStopSending(): void {
    if (!this.closed) this.#run(() => this.#owner.onStopped());
  }

  onRoom(): void {
    if (!this.closed && !this.#quic.ending) this.#run(() => this.#owner.onRoom());
  }

  /** Called when both sides have ended the stream. If the connection ends before the response is complete, the connection fails the request. */
  onClosed(): void {}

  fault(error: unknown): void {
    failOwner(this.#owner, error);
  }

  // The response

  decode(section: Buffer, isTrailers: boolean): ResponseFields | null {
    return this.#host.decode(this, section, isTrailers);
  }

  onHead(fields: ResponseFields): boolean {
    if (!fields.complete) {
      this.malformed();
      return true;
    }
    if (fields.isInterim) {
      this.#run(() => this.#owner.onInterim(fields));
      return false;
    }
    const { ended } = this.#response;
    this.#run(() => this.#owner.onHead(fields, ended));
    return true;
  }

  onBody(bytes: Buffer): void {
    this.#run(() => this.#owner.onData(bytes));
  }

  onMessageEnd(trailers: HeaderMap | null): void {
    this.#close();
    this.#run(() => this.#owner.onEnd(trailers));
    // Once the response is complete, the rest of the request is no longer needed.
    if (!this.#quic.ending) this.#quic.reset(h3Error.noError);
  }

  malformed(): void {
    this.failWith('reset', 'the upstream sent a malformed response');
  }

  incomplete(): void {
    this.failWith('reset', 'the stream ended without a response');
  }

  fail(error: unknown): void {
    this.#host.fail(error);
  }

  /** Called after entries were inserted into the QPACK table. */
  unblock(): void {
    this.#response.unblock();
  }

  /** Fails the request unless its response is complete. Repeated calls have no effect. */
  failWith(kind: RequestFailure, reason: string): void {
    if (this.closed) return;
    this.#abort(h3Error.requestCancelled);
    this.#close();
    this.#run(() => this.#owner.onFailed(kind, reason));
  }

  #run(call: () => void): void {
    try {
      call();
    } catch (error) {
      failOwner(this.#owner, error);
    }
  }

  #close(): void {
    this.closed = true;
    this.#host.closed(this);
    this.#response.drop();
  }
}
