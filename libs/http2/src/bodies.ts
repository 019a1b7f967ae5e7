/** Receives request bodies: DATA frames, flow control and end of stream (RFC 9113 §6.1, §5.2). */
import { failOwner, byteAt } from '@sluice/base';
import type { HeaderMap } from '@sluice/http1';
import { errorCode } from './error-code.ts';
import type { Frame } from './frame-reader.ts';
import { frameFlag, frameType } from './frame.ts';
import type { Outbound } from './outbound.ts';
import { ReceiveWindow } from './receive-window.ts';
import type { ServerOptions } from './settings.ts';
import type { StreamTable } from './stream-table.ts';
import type { Http2Stream } from './stream.ts';

/**
 * Interface through which {@link Bodies} calls the HTTP/2 connection. Methods that return a number return a connection error code, or
 * `noError`.
 */
export interface BodyHost {
  readonly streams: StreamTable;
  readonly outbound: Outbound;
  /** Highest stream ID that the client has used. */
  readonly lastId: number;
  /** Handles a protocol violation in a stream. */
  violates(stream: Http2Stream, code: number): number;
  /** Counts a frame that has no effect. */
  idles(): number;
  /** Handles a frame on a stream that is already closed. */
  late(id: number): number;
  /** Called when both sides have sent their last frame on the stream. */
  completed(stream: Http2Stream): void;
}

/** Receives the request bodies of one HTTP/2 connection. */
export class Bodies {
  readonly #host: BodyHost;
  readonly #streamWindow: number;
  readonly #window: ReceiveWindow;

  constructor(host: BodyHost, { streamWindow, connectionWindow }: ServerOptions) {
    this.#host = host;
    this.#streamWindow = streamWindow;
    this.#window = new ReceiveWindow(host.outbound, connectionWindow);
  }

  /** Handles a DATA frame. Returns a connection error code, or `noError`. */
  data(frame: Frame): number {
    const { stream: id, bytes, flags } = frame;
    const size = frame.end - frame.at;
    let { at, end } = frame;
    const host = this.#host;
    if (id === 0 || id > host.lastId) return errorCode.protocolError;
    if ((flags & frameFlag.padded) !== 0) {
      if (size === 0) return errorCode.frameSizeError;
      end -= byteAt(bytes, at++);
      if (end < at) return errorCode.protocolError;
    }
    if (!this.#window.take(size)) return errorCode.flowControlError;
    const stream = host.streams.find(id);
    if (stream === null) {
      this.#window.credit(size);
      return host.late(id);
    }
    stream.uncredited += size;
    stream.receiveLeft -= size;
    if (stream.remoteEnded) return host.violates(stream, errorCode.streamClosed);
    if (stream.receiveLeft < 0) return host.violates(stream, errorCode.flowControlError);
    const length = end - at;
    stream.received += length;
    if (stream.contentLength >= 0 && stream.received > stream.contentLength)
      return host.violates(stream, errorCode.protocolError);
    if (size > length) this.credit(stream, size - length);
    if (length > 0) this.#deliver(stream, bytes.subarray(at, end));
    if ((flags & frameFlag.endStream) !== 0) return stream.closed ? errorCode.noError : this.end(stream, null);
    return length > 0 ? errorCode.noError : host.idles();
  }

  /** Completes a request body. Returns a connection error code, or `noError`. */
  end(stream: Http2Stream, trailers: HeaderMap | null): number {
    if (stream.contentLength >= 0 && stream.received !== stream.contentLength)
      return this.#host.violates(stream, errorCode.protocolError);
    stream.remoteEnded = true;
    const { owner } = stream;
    try {
      owner?.onEnd(trailers === null || trailers.size === 0 ? null : trailers);
    } catch (error) {
      if (owner !== null) failOwner(owner, error);
    }
    if (stream.localEnded) this.#host.completed(stream);
    return errorCode.noError;
  }

  /** Credits consumed body bytes to the flow-control window, so that the client may send the same number of additional bytes. */
  credit(stream: Http2Stream, bytes: number): void {
    if (stream.closed) return;
    stream.uncredited -= bytes;
    this.#window.credit(bytes);
    if (stream.remoteEnded) return;
    stream.unadvertised += bytes;
    if (stream.unadvertised < this.#streamWindow / 4) return;
    stream.receiveLeft += stream.unadvertised;
    this.#host.outbound.control(4, frameType.windowUpdate, 0, stream.id).uint32(stream.unadvertised);
    stream.unadvertised = 0;
  }

  /** Called when a stream closes. Its unconsumed bytes stop counting against the connection window. */
  release({ uncredited }: Http2Stream): void {
    if (uncredited > 0) this.#window.credit(uncredited);
  }

  #deliver(stream: Http2Stream, piece: Buffer): void {
    const { owner } = stream;
    if (owner === null) {
      this.credit(stream, piece.length);
      return;
    }
    try {
      owner.onData(piece);
    } catch (error) {
      failOwner(owner, error);
    }
  }
}
