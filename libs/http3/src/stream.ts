/** One request and its response, as its user and its connection see them (RFC 9114 §4.1). */
import { failOwner } from '@sluice/base';
import type { HeaderMap } from '@sluice/http1';
import type { RequestFields, StreamOwner } from '@sluice/http2';
import type { QuicStream, StreamUser } from '@sluice/quic';
import { h3Error, Http3Error } from './error-code.ts';
import { FrameReader, take, type FrameTaker } from './frame-reader.ts';
import { frameType, integerBytes, reservedFrames } from './frame.ts';

/** What a stream asks of its connection. What it throws is an error of the connection. */
export interface StreamHost {
  readonly maxFieldBytes: number;
  /** Decodes a section for the stream; `null` if entries of the table are missing that it needs. */
  decode(stream: Http3Stream, section: Buffer, isTrailers: boolean): RequestFields | null;
  encode(stream: Http3Stream, fields: readonly string[]): Buffer;
  /** A request is complete in its fields. */
  begin(stream: Http3Stream, fields: RequestFields): void;
  /** The request breaks the rules (RFC 9114 §4.1.2). */
  malformed(stream: Http3Stream): void;
  closed(stream: Http3Stream): void;
  /** Ends the connection. */
  fail(error: unknown): void;
}

/** A request stream of a server. */
export class Http3Stream implements StreamUser, FrameTaker {
  readonly id: number;
  readonly quic: QuicStream;
  owner: StreamOwner | null = null;
  closed = false;
  /** Whether the peer has sent its last frame, and ours has arrived. */
  remoteEnded = false;
  localEnded = false;
  /** As declared; -1 for nothing. */
  contentLength = -1;
  received = 0;
  /** No more will be written. */
  ending = false;
  /** Whether there is a head that is final. */
  hasHead = false;
  /** Interim responses that were not sent yet. */
  heads: readonly (readonly string[])[] = [];
  readonly #host: StreamHost;
  readonly #reader = new FrameReader(this);
  /** The request has begun, and its body, or its trailers, may follow. */
  #begun = false;
  #trailers: HeaderMap | null = null;
  #hasTrailers = false;
  /** A section that waits for entries of the table, and what came after it. */
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

  /** Error codes to reset it with. */
  get codes(): { readonly noError: number; readonly internalError: number; readonly cancel: number } {
    return resetCodes;
  }

  /** Bytes that were written and never sent. */
  get queued(): number {
    return this.quic.unsent;
  }

  // For the user

  /** Sends fields that are not the final head: names in lower case and values of a character per byte, in turn. */
  interim(fields: readonly string[]): void {
    if (this.closed || this.hasHead) return;
    this.#head(fields);
  }

  /** Sends the head. `end`: and nothing after it. */
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

  /** Ends the stream, with trailers or without. */
  end(trailers: readonly string[] | null): void {
    if (this.closed || this.ending) return;
    if (trailers !== null) this.#head(trailers);
    this.ending = true;
    this.quic.end();
  }

  /** Lets the peer send as many bytes of the body again. */
  credit(bytes: number): void {
    this.quic.credit(bytes);
  }

  /** Asks the peer to send no more of the body. */
  stop(): void {
    if (this.remoteEnded || this.#stopped) return;
    this.#stopped = true;
    this.quic.stopSending(h3Error.noError);
    this.#remoteOver();
  }

  /** Ends the stream at once. What was not sent is not sent. `code`: one of HTTP/3. */
  reset(code: number): void {
    if (this.closed) return;
    this.quic.reset(code);
    this.quic.stopSending(code);
    this.close(code);
  }

  // From QUIC

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
    // A request that its client has abandoned is not served on (RFC 9114 §4.1.1).
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
    // Most requests have no body, and their end comes with their fields.
    if (this.quic.isLast && this.#reader.rest === 0 && this.#kept.length === 0) {
      if (this.contentLength > 0) {
        this.#host.malformed(this);
        return;
      }
      this.remoteEnded = true;
    }
    this.#host.begin(this, fields);
  }

  /** Whether a section waits for the table. */
  get blocked(): boolean {
    return this.#blocked !== null;
  }

  /** Entries were inserted: reads on if that was all that was missing. */
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

  /** Ends it for its user. Called by the connection when it is over, too. */
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

/** Frames that are for control streams, or that only a server sends. */
const forbidden: ReadonlySet<number> = new Set([
  frameType.cancelPush,
  frameType.settings,
  frameType.pushPromise,
  frameType.goAway,
  frameType.maxPushId,
  frameType.priorityUpdate,
  frameType.priorityUpdatePush,
]);

/** Bytes of a frame's header: they count against the windows, too. A peer that writes them longer has a smaller window. */
function headerCredit(type: number, length: number): number {
  return integerBytes(type).length + integerBytes(length).length;
}

function unexpected(reason: string): Http3Error {
  return new Http3Error(h3Error.frameUnexpected, reason);
}
