/** Reads a request or response from a request stream (RFC 9114 §4.1): head, body and trailers. Used by servers and clients. */
import type { HeaderMap } from '@sluice/http1';
import type { QuicStream } from '@sluice/quic';
import { h3Error, Http3Error } from './error-code.ts';
import { FrameReader, take, type FrameTaker } from './frame-reader.ts';
import { frameType, reservedFrames } from './frame.ts';

/** Fields decoded from a field section. */
export interface SectionFields {
  readonly headers: HeaderMap;
  /** Body length declared in the head; -1 if unknown. */
  readonly contentLength: number;
  readonly malformed: boolean;
  readonly tooLarge: boolean;
}

/** Stream that receives a message. An exception in a method is treated as a connection error. */
export interface MessageHost<F extends SectionFields> {
  readonly maxFieldBytes: number;
  readonly closed: boolean;
  /** Decodes a field section. Returns `null` if the section requires QPACK table entries that have not arrived. */
  decode(section: Buffer, isTrailers: boolean): F | null;
  /** Called with a head. Returns false for an interim response, which is followed by another head. */
  onHead(fields: F): boolean;
  /** Called with a part of the body. It counts against the flow-control windows until `QuicStream.credit` is called. */
  onBody(bytes: Buffer): void;
  /** Called at the end of the request or response. */
  onMessageEnd(trailers: HeaderMap | null): void;
  /** Called if the request or response is malformed (RFC 9114 §4.1.2). */
  malformed(): void;
  /** Called if the stream ends before the head is complete. */
  incomplete(): void;
  fail(error: unknown): void;
}

export class MessageReader<F extends SectionFields> implements FrameTaker {
  /** Declared body length; -1 if unknown. */
  contentLength = -1;
  received = 0;
  /** True after the peer has sent the entire message. */
  ended = false;
  readonly #host: MessageHost<F>;
  readonly #quic: QuicStream;
  readonly #frames = new FrameReader(this);
  /** True after the head has arrived. A body or trailers may follow. */
  #begun = false;
  #trailers: HeaderMap | null = null;
  #hasTrailers = false;
  /** Field section that is waiting for QPACK table entries, and the bytes that follow this section. */
  #blocked: Buffer | null = null;
  #kept: Buffer[] = [];
  #endKept = false;
  readonly #stop = (): boolean => this.#blocked !== null || this.#host.closed;

  constructor(host: MessageHost<F>, quic: QuicStream) {
    this.#host = host;
    this.#quic = quic;
  }

  /** True if a field section is waiting for QPACK table entries. */
  get blocked(): boolean {
    return this.#blocked !== null;
  }

  read(bytes: Buffer): void {
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
    const at = this.#frames.read(bytes, 0, this.#stop);
    if (at < bytes.length && !this.#host.closed) this.#kept.push(Buffer.from(bytes.subarray(at)));
  }

  /** Called when the peer has ended the stream. */
  end(): void {
    const host = this.#host;
    if (this.#blocked !== null) {
      this.#endKept = true;
      return;
    }
    if (!this.#frames.betweenFrames) {
      host.fail(new Http3Error(h3Error.frameError, 'stream ended within a frame'));
      return;
    }
    if (!this.#begun) {
      host.incomplete();
      return;
    }
    if (this.contentLength >= 0 && this.received !== this.contentLength) {
      host.malformed();
      return;
    }
    this.ended = true;
    host.onMessageEnd(this.#trailers);
  }

  /** Releases the data that is waiting for QPACK table entries. */
  drop(): void {
    this.#kept = [];
    this.#blocked = null;
  }

  // Frames

  onFrame(type: number, length: number, head: number): number {
    // Frame headers also count against the windows.
    switch (type) {
      case frameType.headers:
        if (this.#hasTrailers) throw unexpected('HEADERS after trailers');
        if (length > this.#host.maxFieldBytes * 2 + 1024)
          throw new Http3Error(h3Error.excessiveLoad, 'field section is too long');
        this.#quic.credit(length + head);
        return take.collect;
      case frameType.data:
        if (!this.#begun || this.#hasTrailers) throw unexpected('unexpected DATA frame');
        this.#quic.credit(head);
        return take.pieces;
      default:
        if (reservedFrames.has(type) || forbidden.has(type))
          throw unexpected(`unexpected frame of type ${type} on a request stream`);
        this.#quic.credit(length + head);
        return take.skip;
    }
  }

  onPiece(bytes: Buffer): void {
    this.received += bytes.length;
    if (this.contentLength >= 0 && this.received > this.contentLength) this.#host.malformed();
    else this.#host.onBody(bytes);
  }

  onPayload(_type: number, section: Buffer): void {
    const fields = this.#host.decode(section, this.#begun);
    if (fields === null) this.#blocked = section;
    else this.#fields(fields);
  }

  #fields(fields: F): void {
    const host = this.#host;
    if (this.#begun) {
      this.#hasTrailers = true;
      if (fields.malformed || fields.tooLarge) host.malformed();
      else this.#trailers = fields.headers.size > 0 ? fields.headers : null;
      return;
    }
    this.contentLength = fields.contentLength;
    // Fast path: most requests have no body and end with their header fields.
    if (this.#quic.isLast && this.#frames.rest === 0 && this.#kept.length === 0) {
      if (this.contentLength > 0) {
        host.malformed();
        return;
      }
      this.ended = true;
    }
    this.#begun = host.onHead(fields);
    if (!this.#begun) this.ended = false;
  }

  /** Called after entries were inserted into the QPACK table. Continues if all required entries are present. */
  unblock(): void {
    const section = this.#blocked;
    if (section === null || this.#host.closed) return;
    const fields = this.#host.decode(section, this.#begun);
    if (fields === null) return;
    this.#blocked = null;
    const kept = this.#kept;
    this.#kept = [];
    this.#fields(fields);
    for (const [index, piece] of kept.entries()) {
      if (this.#host.closed) return;
      if (this.#blocked !== null) {
        this.#kept.push(...kept.slice(index));
        return;
      }
      this.#read(piece);
    }
    if (this.#endKept && this.#blocked === null && !this.#host.closed) this.end();
  }
}

/** Frames that are allowed only on control streams, or only from a server that supports push. */
const forbidden: ReadonlySet<number> = new Set([
  frameType.cancelPush,
  frameType.settings,
  frameType.pushPromise,
  frameType.goAway,
  frameType.maxPushId,
  frameType.priorityUpdate,
  frameType.priorityUpdatePush,
]);

function unexpected(reason: string): Http3Error {
  return new Http3Error(h3Error.frameUnexpected, reason);
}
