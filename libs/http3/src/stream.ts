/** A request and its response, as seen by user and connection (RFC 9114 §4.1). */
import { failOwner } from '@sluice/base';
import type { HeaderMap } from '@sluice/http1';
import type { RequestFields, StreamOwner } from '@sluice/http2';
import type { QuicStream, StreamUser } from '@sluice/quic';
import { h3Error, Http3Error } from './error-code.ts';
import { FrameReader, take, type FrameTaker } from './frame-reader.ts';
import { frameType, integerBytes, reservedFrames } from './frame.ts';

/** Callbacks of a stream for its connection. Exceptions are connection errors. */
export interface StreamHost {
  readonly maxFieldBytes: number;
  /** Decodes a field section; returns `null` if it requires missing table entries. */
  decode(stream: Http3Stream, section: Buffer, isTrailers: boolean): RequestFields | null;
  encode(stream: Http3Stream, fields: readonly string[]): Buffer;
  /** Called when the fields of a request are complete. */
  begin(stream: Http3Stream, fields: RequestFields): void;
  /** Called if the request is malformed (RFC 9114 §4.1.2). */
  malformed(stream: Http3Stream): void;
  closed(stream: Http3Stream): void;
  fail(error: unknown): void;
}

export class Http3Stream implements StreamUser, FrameTaker {
  readonly id: number;
  readonly quic: QuicStream;
  owner: StreamOwner | null = null;
  closed = false;
  /** True if the peer has sent its last frame; true if the response has been delivered. */
  remoteEnded = false;
  localEnded = false;
  /** Declared body length; -1 if unknown. */
  contentLength = -1;
  received = 0;
  /** The response is complete. */
  ending = false;
  /** True once the final head was set. */
  hasHead = false;
  /** Interim responses that were not sent yet. */
  heads: readonly (readonly string[])[] = [];
  readonly #host: StreamHost;
  readonly #reader = new FrameReader(this);
  /** True if the request has begun. A body or trailers may follow. */
  #begun = false;
  #trailers: HeaderMap | null = null;
  #hasTrailers = false;
  /** Field section that waits for table entries, and the bytes after it. */
  #blocked: Buffer | null = null;
  #kept: Buffer[] = [];
  #endKept = false;
  #stopped = false;

  constructor(host: StreamHost, quic: QuicStream) {
    this.#host = host;
    this.quic = quic;
    this.id = quic.id;
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

  /** Error codes for {@link reset}. */
  get codes(): { readonly noError: number; readonly internalError: number; readonly cancel: number } {
    return resetCodes;
  }

  /** Number of bytes that were written but never sent. */
  get queued(): number {
    return this.quic.unsent;
  }

  // User interface

  /** Sends an interim response: lowercase names and Latin-1 values, alternating. */
  interim(fields: readonly string[]): void {
    if (this.closed || this.hasHead) return;
    this.#head(fields);
  }

  /** Sends the final head. If `end` is true, the response has no body. */
  respond(fields: readonly string[], end: boolean): void {
    if (this.closed || this.hasHead) return;
    this.hasHead = true;
    this.#head(fields);
    if (end) this.end(null);
  }

  #head(fields: readonly string[]): void {
    const section = this.#host.encode(this, fields);
    const header = Buffer.allocUnsafe(5 + section.length);
    header[0] = frameType.headers;
    header.writeUInt32BE(section.length + 0x8000_0000, 1);
    header.set(section, 5);
    this.quic.write(header);
  }

  /** Sends a piece of the body, which is copied. */
  write(piece: Buffer): void {
    if (this.closed || this.ending || piece.length === 0) return;
    const frame = Buffer.allocUnsafe(5 + piece.length);
    frame[0] = frameType.data;
    frame.writeUInt32BE(piece.length + 0x8000_0000, 1);
    frame.set(piece, 5);
    this.quic.write(frame);
  }

  /** Ends the stream, optionally with trailers. */
  end(trailers: readonly string[] | null): void {
    if (this.closed || this.ending) return;
    if (trailers !== null) this.#head(trailers);
    this.ending = true;
    this.quic.end();
  }

  /** Allows the peer to send as many more bytes of the body. */
  credit(bytes: number): void {
    this.quic.credit(bytes);
  }

  /** Asks the peer to stop sending the body. */
  stop(): void {
    if (this.remoteEnded || this.#stopped) return;
    this.#stopped = true;
    this.quic.stopSending(h3Error.noError);
    this.#remoteOver();
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
    if (this.#stopped || this.closed) {
      this.quic.credit(bytes.length);
      return;
    }
    if (this.#blocked !== null) {
      this.#kept.push(Buffer.from(bytes));
      return;
    }
    try {
      this.#read(bytes);
    } catch (error) {
      this.#host.fail(error);
    }
  }

  #read(bytes: Buffer): void {
    const at = this.#reader.read(bytes, 0, () => this.#blocked !== null || this.closed);
    if (at < bytes.length && !this.closed) this.#kept.push(Buffer.from(bytes.subarray(at)));
  }

  onEnd(): void {
    if (this.closed) return;
    if (this.#blocked !== null) {
      this.#endKept = true;
      return;
    }
    if (!this.#reader.betweenFrames) {
      this.#host.fail(new Http3Error(h3Error.frameError, 'stream ended within a frame'));
      return;
    }
    if (!this.#begun) {
      this.reset(h3Error.requestIncomplete);
      return;
    }
    if (this.contentLength >= 0 && this.received !== this.contentLength) {
      this.#host.malformed(this);
      return;
    }
    this.#remoteOver();
    this.#run((owner) => owner.onEnd(this.#trailers));
  }

  onReset(): void {
    // A request that was abandoned by its client is not processed further (RFC 9114 §4.1.1).
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

  // Frames

  onFrame(type: number, length: number): number {
    switch (type) {
      case frameType.headers:
        if (this.#hasTrailers) throw unexpected('HEADERS after trailers');
        if (length > this.#host.maxFieldBytes * 2 + 1024)
          throw new Http3Error(h3Error.excessiveLoad, 'field section is too long');
        this.quic.credit(length + headerCredit(type, length));
        return take.collect;
      case frameType.data:
        if (!this.#begun || this.#hasTrailers) throw unexpected('unexpected DATA frame');
        this.quic.credit(headerCredit(type, length));
        return take.pieces;
      default:
        if (reservedFrames.has(type) || forbidden.has(type))
          throw unexpected(`unexpected frame of type ${type} on a request stream`);
        this.quic.credit(length + headerCredit(type, length));
        return take.skip;
    }
  }

  onPiece(bytes: Buffer): void {
    this.received += bytes.length;
    if (this.contentLength >= 0 && this.received > this.contentLength) {
      this.#host.malformed(this);
      return;
    }
    if (this.owner === null) this.quic.credit(bytes.length);
    else this.#run((owner) => owner.onData(bytes));
  }

  onPayload(_type: number, section: Buffer): void {
    const fields = this.#host.decode(this, section, this.#begun);
    if (fields === null) {
      this.#blocked = section;
      return;
    }
    this.#fields(fields);
  }

  #fields(fields: RequestFields): void {
    if (this.#begun) {
      this.#hasTrailers = true;
      if (fields.malformed || fields.tooLarge) this.#host.malformed(this);
      else this.#trailers = fields.headers.size > 0 ? fields.headers : null;
      return;
    }
    this.#begun = true;
    this.contentLength = fields.contentLength;
    // Most requests have no body and end with their header fields.
    if (this.quic.isLast && this.#reader.rest === 0 && this.#kept.length === 0) {
      if (this.contentLength > 0) {
        this.#host.malformed(this);
        return;
      }
      this.remoteEnded = true;
    }
    this.#host.begin(this, fields);
  }

  /** Reports whether a field section waits for table entries. */
  get blocked(): boolean {
    return this.#blocked !== null;
  }

  /** Called when entries were inserted. Continues if all required entries are present. */
  unblock(): void {
    const section = this.#blocked;
    if (section === null || this.closed) return;
    const fields = this.#host.decode(this, section, this.#begun);
    if (fields === null) return;
    this.#blocked = null;
    const kept = this.#kept;
    this.#kept = [];
    this.#fields(fields);
    for (const [index, piece] of kept.entries()) {
      if (this.closed) return;
      if (this.#blocked !== null) {
        this.#kept.push(...kept.slice(index));
        return;
      }
      this.#read(piece);
    }
    if (this.#endKept && this.#blocked === null) this.onEnd();
  }

  #remoteOver(): void {
    this.remoteEnded = true;
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
    this.#kept = [];
    this.#blocked = null;
    const { owner } = this;
    try {
      owner?.onClose(code);
    } catch (error) {
      if (owner !== null) failOwner(owner, error);
    }
    this.#host.closed(this);
  }
}

const resetCodes = { noError: h3Error.noError, internalError: h3Error.internalError, cancel: h3Error.requestCancelled };

/** Frames that are only allowed on control streams, or only from a server. */
const forbidden: ReadonlySet<number> = new Set([
  frameType.cancelPush,
  frameType.settings,
  frameType.pushPromise,
  frameType.goAway,
  frameType.maxPushId,
  frameType.priorityUpdate,
  frameType.priorityUpdatePush,
]);

/** Frame header size in bytes, which also counts against the windows. Longer encodings by the peer reduce the peer's own window. */
function headerCredit(type: number, length: number): number {
  return integerBytes(type).length + integerBytes(length).length;
}

function unexpected(reason: string): Http3Error {
  return new Http3Error(h3Error.frameUnexpected, reason);
}
