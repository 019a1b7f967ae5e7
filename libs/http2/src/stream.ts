/** An HTTP/2 stream (RFC 9113 §5). Has one interface for its user and another for the connection. */
import type { Guarded } from '@sluice/base';
import type { HeaderMap } from '@sluice/http1';
import { errorCode } from './error-code.ts';

/** User of a stream. An exception in a callback resets the stream. */
export interface StreamOwner extends Guarded {
  /**
   * Receives body bytes. The owner must use or copy them immediately. The bytes count against the windows until `Http2Stream.credit` is
   * called.
   */
  onData(bytes: Buffer): void;
  /** Called when the body is complete. `trailers` is `null` if there are none. */
  onEnd(trailers: HeaderMap | null): void;
  /** Called when all written data has been sent. */
  onSent(): void;
  /** Called once, as the last callback, when the stream is closed. `code` is the error code from either side. */
  onClose(code: number): void;
}

/** Interface through which a stream calls its connection. */
export interface StreamHost {
  /** Called when the stream has data to send. */
  ready(stream: Http2Stream): void;
  /** Credits consumed body bytes, so that the peer may send the same number of additional bytes. */
  credit(stream: Http2Stream, bytes: number): void;
  reset(stream: Http2Stream, code: number): void;
  /** Called when the rest of the body is no longer needed. */
  stop(stream: Http2Stream): void;
}

/** Queues in which a stream can wait for output. */
export const queue = { none: 0, heads: 1, bodies: 2 } as const;

/** Shared empty arrays. A stream allocates its own array only when needed. */
export const noHeads: (readonly string[])[] = [];
const noPieces: Buffer[] = [];

/** An HTTP/2 stream. The connection manages the fields, and users call the methods. */
export class Http2Stream {
  readonly id: number;
  owner: StreamOwner | null = null;
  closed = false;

  /** `remoteEnded` is true after the peer has sent its last frame, and `localEnded` after the server has. */
  remoteEnded = false;
  localEnded = false;
  /** True if the rest of the request body is no longer needed. */
  stopping = false;

  /**
   * Flow control of the request body, in bytes: the remaining receive window, all received bytes, and received bytes that are not credited
   * yet.
   */
  receiveLeft: number;
  received = 0;
  uncredited = 0;
  /** Number of credited bytes for which no window update has been sent to the peer yet. */
  unadvertised = 0;
  /** Declared length of the body; -1 if unknown. */
  contentLength = -1;

  /** Send window in bytes. It may be negative after a settings change (RFC 9113 §6.9.2). */
  sendWindow: number;
  /** Urgency (RFC 9218 §4.1) from 0, the most urgent, to 7. */
  urgency = 3;
  /** True if the stream is incremental (RFC 9218 §4.2), that is, it shares bandwidth with streams of the same urgency. */
  incremental = true;

  /** Field lists to send before the body: interim responses and the final head. */
  heads: (readonly string[])[] = noHeads;
  /** True after the final response head was set. */
  hasHead = false;
  /** Unsent body data. It starts at `offset` in the first piece. */
  pieces: Buffer[] = noPieces;
  offset = 0;
  /** Number of unsent bytes in {@link pieces}. */
  queued = 0;
  /** True if the response body is complete. */
  ending = false;
  trailers: readonly string[] | null = null;

  /** Queue that contains the stream, and the next stream in that queue. */
  queue: number = queue.none;
  next: Http2Stream | null = null;
  readonly #host: StreamHost;

  constructor(host: StreamHost, id: number, receiveWindow: number, sendWindow: number) {
    this.#host = host;
    this.id = id;
    this.receiveLeft = receiveWindow;
    this.sendWindow = sendWindow;
  }

  /** Error codes for {@link reset}. */
  get codes(): typeof errorCode {
    return errorCode;
  }

  /** Sends an interim response. `fields` alternates lowercase names and Latin-1 values. */
  interim(fields: readonly string[]): void {
    if (this.closed || this.hasHead) return;
    this.#addHead(fields);
    this.#host.ready(this);
  }

  /** Sends the final response head. If `end` is true, the response has no body. */
  respond(fields: readonly string[], end: boolean): void {
    if (this.closed || this.hasHead) return;
    this.hasHead = true;
    this.ending = end;
    this.#addHead(fields);
    this.#host.ready(this);
  }

  /** Sends a piece of the body. The caller must not modify the piece before `onSent`. */
  write(piece: Buffer): void {
    if (this.closed || this.ending || piece.length === 0) return;
    if (this.pieces === noPieces) this.pieces = [piece];
    else this.pieces.push(piece);
    this.queued += piece.length;
    this.#host.ready(this);
  }

  /** Ends the stream, optionally with trailers. */
  end(trailers: readonly string[] | null): void {
    if (this.closed || this.ending) return;
    this.ending = true;
    this.trailers = trailers;
    this.#host.ready(this);
  }

  #addHead(fields: readonly string[]): void {
    if (this.heads === noHeads) this.heads = [fields];
    else this.heads.push(fields);
  }

  /** Credits consumed body bytes to the flow-control window. */
  credit(bytes: number): void {
    this.#host.credit(this, bytes);
  }

  /** Discards unsent data. The connection calls this when the stream is closed. */
  drop(): void {
    this.heads = noHeads;
    this.pieces = noPieces;
    this.queued = 0;
  }

  /** Requests that the peer stop sending the body after the response has ended (RFC 9113 §8.1). */
  stop(): void {
    this.#host.stop(this);
  }

  /** Resets the stream and discards unsent data. */
  reset(code: number): void {
    this.#host.reset(this, code);
  }
}
