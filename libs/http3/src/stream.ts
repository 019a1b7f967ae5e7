/** A request and its response on an HTTP/3 server (RFC 9114 §4.1). Has one interface for its user and another for the connection. */
import { failOwner } from '@sluice/base';
import type { HeaderMap } from '@sluice/http1';
import type { RequestFields, StreamOwner } from '@sluice/http2';
import type { QuicStream, StreamUser } from '@sluice/quic';
import { h3Error } from './error-code.ts';
import { frameType, writeMessageFrame } from './frame.ts';
import { MessageReader, type MessageHost } from './message-reader.ts';

/** Interface through which a stream calls its connection. An exception is treated as a connection error. */
export interface StreamHost {
  readonly maxFieldBytes: number;
  /** Decodes a field section. Returns `null` if the section requires QPACK table entries that have not arrived. */
  decode(stream: Http3Stream, section: Buffer, isTrailers: boolean): RequestFields | null;
  encode(stream: Http3Stream, fields: readonly string[]): Buffer;
  /** Called when the fields of a request are complete. */
  begin(stream: Http3Stream, fields: RequestFields): void;
  /** Called if the request is malformed (RFC 9114 §4.1.2). */
  malformed(stream: Http3Stream): void;
  closed(stream: Http3Stream): void;
  fail(error: unknown): void;
}

export class Http3Stream implements StreamUser, MessageHost<RequestFields> {
  readonly id: number;
  readonly quic: QuicStream;
  owner: StreamOwner | null = null;
  closed = false;
  /** True after the response has been delivered. */
  localEnded = false;
  /** True after the response is complete. */
  ending = false;
  /** True after the final response head was set. */
  hasHead = false;
  /** Fields of an early data request that must wait until the handshake is complete. */
  withheld: RequestFields | null = null;
  /** Interim responses that have not been sent yet. */
  heads: readonly (readonly string[])[] = [];
  readonly #host: StreamHost;
  readonly #request: MessageReader<RequestFields>;
  #stopped = false;

  constructor(host: StreamHost, quic: QuicStream) {
    this.#host = host;
    this.quic = quic;
    this.id = quic.id;
    this.#request = new MessageReader(this, quic);
    quic.user = this;
  }

  get urgency(): number {
    return this.quic.urgency;
  }

  set urgency(urgency: number) {
    this.quic.urgency = urgency;
  }

  get incremental(): boolean {
    return this.quic.incremental;
  }

  set incremental(incremental: boolean) {
    this.quic.incremental = incremental;
  }

  get maxFieldBytes(): number {
    return this.#host.maxFieldBytes;
  }

  /** Declared length of the body; -1 if unknown. */
  get contentLength(): number {
    return this.#request.contentLength;
  }

  /** True if the peer has sent its last frame, or if data from the peer is no longer read. */
  get remoteEnded(): boolean {
    return this.#stopped || this.#request.ended;
  }

  /** True if a field section is waiting for QPACK table entries. */
  get blocked(): boolean {
    return this.withheld === null && this.#request.blocked;
  }

  /** Error codes for {@link reset}. */
  get codes(): { readonly noError: number; readonly internalError: number; readonly cancel: number } {
    return resetCodes;
  }

  /** Number of written bytes that have not been sent yet. 0 if the stream is closed, because they will not be sent. */
  get queued(): number {
    return this.closed ? 0 : this.quic.unsent;
  }

  // Calls by the application

  /** Sends an interim response. `fields` alternates lowercase names and Latin-1 values. */
  interim(fields: readonly string[]): void {
    if (this.closed || this.hasHead) return;
    this.#head(fields);
  }

  /** Sends the final response head. If `end` is true, the response has no body. */
  respond(fields: readonly string[], end: boolean): void {
    if (this.closed || this.hasHead) return;
    this.hasHead = true;
    this.#head(fields);
    if (end) this.end(null);
  }

  #head(fields: readonly string[]): void {
    writeMessageFrame(this.quic, frameType.headers, this.#host.encode(this, fields));
  }

  /** Sends a copy of a body chunk. */
  write(piece: Buffer): void {
    if (this.closed || this.ending || piece.length === 0) return;
    writeMessageFrame(this.quic, frameType.data, piece);
  }

  /** Ends the stream, optionally with trailers. */
  end(trailers: readonly string[] | null): void {
    if (this.closed || this.ending) return;
    if (trailers !== null) this.#head(trailers);
    this.ending = true;
    this.quic.end();
  }

  /** Credits consumed body bytes, so that the peer may send the same number of additional bytes. */
  credit(bytes: number): void {
    this.quic.credit(bytes);
  }

  /** Requests that the peer stop sending the body. */
  stop(): void {
    if (this.remoteEnded) return;
    this.#stopped = true;
    this.quic.stopSending(h3Error.noError);
  }

  /** Resets the stream and discards unsent data. `code` is an HTTP/3 error code. */
  reset(code: number): void {
    if (this.closed) return;
    this.quic.reset(code);
    this.quic.stopSending(code);
    this.close(code);
  }

  // QUIC callbacks

  onData(bytes: Buffer): void {
    if (this.#stopped || this.closed) this.quic.credit(bytes.length);
    else this.#request.read(bytes);
  }

  onEnd(): void {
    if (!this.closed) this.#request.end();
  }

  onReset(): void {
    // Stop processing a request that the client has abandoned (RFC 9114 §4.1.1).
    if (this.closed) return;
    this.quic.reset(h3Error.requestCancelled);
    this.close(h3Error.requestCancelled);
  }

  onStopSending(code: number): void {
    if (!this.closed) this.close(code);
  }

  onRoom(): void {
    this.#run((owner) => owner.onSent());
  }

  onClosed(): void {
    this.localEnded = true;
    this.close(h3Error.noError);
  }

  fault(error: unknown): void {
    if (this.owner === null) this.#host.fail(error);
    else failOwner(this.owner, error);
  }

  // The request

  decode(section: Buffer, isTrailers: boolean): RequestFields | null {
    return this.#host.decode(this, section, isTrailers);
  }

  onHead(fields: RequestFields): boolean {
    this.#host.begin(this, fields);
    return true;
  }

  onBody(bytes: Buffer): void {
    if (this.owner === null) this.quic.credit(bytes.length);
    else this.#run((owner) => owner.onData(bytes));
  }

  onMessageEnd(trailers: HeaderMap | null): void {
    this.#run((owner) => owner.onEnd(trailers));
  }

  malformed(): void {
    this.#host.malformed(this);
  }

  incomplete(): void {
    this.reset(h3Error.requestIncomplete);
  }

  fail(error: unknown): void {
    this.#host.fail(error);
  }

  /** Called after entries were inserted into the QPACK table, and when the handshake completes. */
  unblock(): void {
    this.#request.unblock();
  }

  #run(call: (owner: StreamOwner) => void): void {
    const { owner } = this;
    if (owner === null || this.closed) return;
    try {
      call(owner);
    } catch (error) {
      failOwner(owner, error);
    }
  }

  /** Closes the stream for its user. Also called when the connection ends. */
  close(code: number): void {
    if (this.closed) return;
    this.closed = true;
    const { owner } = this;
    try {
      owner?.onClose(code);
    } catch (error) {
      if (owner !== null) failOwner(owner, error);
    }
    this.#host.closed(this);
    this.#request.drop();
  }
}

const resetCodes = { noError: h3Error.noError, internalError: h3Error.internalError, cancel: h3Error.requestCancelled };
