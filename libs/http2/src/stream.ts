/** A stream as seen by the user and the connection (RFC 9113 §5). */
import type { Guarded } from '@sluice/base';
import type { HeaderMap } from '@sluice/http1';
import { errorCode } from './error-code.ts';

/** User of a stream. An exception in a callback resets the stream. */
export interface StreamOwner extends Guarded {
  /** Receives body bytes. Use or copy them immediately. The bytes count against the windows until `Http2Stream.credit`. */
  onData(bytes: Buffer): void;
  /** Called when the body is complete; `null` means no trailers. */
  onEnd(trailers: HeaderMap | null): void;
  /** Called when all written data has been sent. */
  onSent(): void;
  /** Called once when the stream is closed, as the last callback, with an error code from either side. */
  onClose(code: number): void;
}

/** Callbacks of a stream to its connection. */
export interface StreamHost {
  /** Called when the stream has data to send. */
  ready(stream: Http2Stream): void;
  /** Called when bytes of a body were consumed, so that the peer may send as many again. */
  credit(stream: Http2Stream, bytes: number): void;
  reset(stream: Http2Stream, code: number): void;
  /** Called when the rest of the body is not needed. */
  stop(stream: Http2Stream): void;
}

/** Queues in which a stream can wait. */
export const queue = { none: 0, heads: 1, bodies: 2 } as const;

/** Shared placeholders: arrays are created only when needed. */
export const noHeads: (readonly string[])[] = [];
const noPieces: Buffer[] = [];

/** A stream. The connection manages the fields; users call the methods. */
export class Http2Stream {
  readonly id: number;
  owner: StreamOwner | null = null;
  closed = false;

  /** True if the peer has sent its last frame; true if the server has sent its last frame. */
  remoteEnded = false;
  localEnded = false;
  /** True if the body is no longer needed. */
  stopping = false;

  /** Remaining receive window in bytes; received body bytes; received bytes that are not credited yet. */
  receiveLeft: number;
  received = 0;
  uncredited = 0;
  /** Number of credited bytes that are not announced to the peer yet. */
  unannounced = 0;
  /** Declared body length; -1 if unknown. */
  contentLength = -1;

  /** Send window in bytes. Can be negative after a change of settings (RFC 9113 §6.9.2). */
  sendWindow: number;
  /** Urgency (RFC 9218 §4.1). 0 is the most urgent. */
  urgency = 3;
  /** Incremental (RFC 9218 §4.2): shares bandwidth with other streams of the same urgency. */
  incremental = true;

  /** Fields to send before the body: interim responses and the final head. */
  heads: (readonly string[])[] = noHeads;
  /** True once the final head was set. */
  hasHead = false;
  /** Unsent body, starting at `offset` in the first piece. */
  pieces: Buffer[] = noPieces;
  offset = 0;
  /** Number of unsent bytes in {@link pieces}. */
  queued = 0;
  /** True if the body is complete. */
  ending = false;
  trailers: readonly string[] | null = null;

  /** Current queue, and the next stream in this queue. */
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

  /** Sends an interim response: lowercase names and Latin-1 values, alternating. */
  interim(fields: readonly string[]): void {
    if (this.closed || this.hasHead) return;
    this.#addHead(fields);
    this.#host.ready(this);
  }

  /** Sends the final head. If `end` is true, the response has no body. */
  respond(fields: readonly string[], end: boolean): void {
    if (this.closed || this.hasHead) return;
    this.hasHead = true;
    this.ending = end;
    this.#addHead(fields);
    this.#host.ready(this);
  }

  /** Sends a piece of the body. The caller must not change it before `onSent`. */
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

  /** Reports that bytes of the body were consumed. */
  credit(bytes: number): void {
    this.#host.credit(this, bytes);
  }

  /** Discards unsent data. Called by the connection when the stream is closed. */
  drop(): void {
    this.heads = noHeads;
    this.pieces = noPieces;
    this.queued = 0;
  }

  /** Requests the peer to stop sending the body, after the response has ended (RFC 9113 §8.1). */
  stop(): void {
    this.#host.stop(this);
  }

  /** Resets the stream and discards unsent data. */
  reset(code: number): void {
    this.#host.reset(this, code);
  }
}
