/** One stream, as its user and its connection see it (RFC 9113 §5). */
import type { Guarded } from '@sluice/base';
import type { HeaderMap } from '@sluice/http1';
import { errorCode } from './error-code.ts';

/** Who uses a stream. What its callbacks throw resets the stream. */
export interface StreamOwner extends Guarded {
  /** Bytes of the body, to be used or copied at once. They count against the windows until `Http2Stream.credit`. */
  onData(bytes: Buffer): void;
  /** The body is complete; `null` for no trailers. */
  onEnd(trailers: HeaderMap | null): void;
  /** All that was written has left the stream. */
  onSent(): void;
  /** The stream is closed, with an error code of the peer, or ours. Called once, and nothing after it. */
  onClose(code: number): void;
}

/** What a stream asks of its connection. */
export interface StreamHost {
  /** There is something to send. */
  ready(stream: Http2Stream): void;
  /** Bytes of a body were used: the peer may send as many again. */
  credit(stream: Http2Stream, bytes: number): void;
  reset(stream: Http2Stream, code: number): void;
  /** The body is not wanted any more. */
  stop(stream: Http2Stream): void;
}

/** Where a stream waits for its turn. */
export const queue = { none: 0, heads: 1, bodies: 2 } as const;

/** What streams have before the first head and the first piece: arrays are made when they are needed. */
export const noHeads: (readonly string[])[] = [];
const noPieces: Buffer[] = [];

/** A stream. The fields are those of the connection; users call the methods. */
export class Http2Stream {
  readonly id: number;
  owner: StreamOwner | null = null;
  closed = false;

  /** Whether the peer has sent its last frame, and we have sent ours. */
  remoteEnded = false;
  localEnded = false;
  /** The body of the peer is not wanted any more. */
  stopping = false;

  /** What the peer may still send, in bytes; what it has sent of the body, and what of that was not credited yet. */
  receiveLeft: number;
  received = 0;
  uncredited = 0;
  /** Credited, and not told to the peer. */
  unannounced = 0;
  /** As declared; -1 for nothing. */
  contentLength = -1;

  /** What we may send, in bytes. Negative after a change of settings (RFC 9113 §6.9.2). */
  sendWindow: number;
  /** RFC 9218 §4.1: 0 comes first. */
  urgency = 3;
  /** RFC 9218 §4.2: takes turns with others of its urgency. */
  incremental = true;

  /** Fields to be sent before the body: interim responses and the head. */
  heads: (readonly string[])[] = noHeads;
  /** Whether there is a head that is final. */
  hasHead = false;
  /** The body, from `offset` of its first piece. */
  pieces: Buffer[] = noPieces;
  offset = 0;
  /** Bytes of {@link pieces} that are not sent. */
  queued = 0;
  /** No more will be written. */
  ending = false;
  trailers: readonly string[] | null = null;

  /** Which queue it is in, and who comes next there. */
  queue: number = queue.none;
  next: Http2Stream | null = null;
  readonly #host: StreamHost;

  constructor(host: StreamHost, id: number, receiveWindow: number, sendWindow: number) {
    this.#host = host;
    this.id = id;
    this.receiveLeft = receiveWindow;
    this.sendWindow = sendWindow;
  }

  /** Error codes to reset it with. */
  get codes(): typeof errorCode {
    return errorCode;
  }

  /** Sends fields that are not the final head: names in lower case and values of a character per byte, in turn. */
  interim(fields: readonly string[]): void {
    if (this.closed || this.hasHead) return;
    this.#addHead(fields);
    this.#host.ready(this);
  }

  /** Sends the head. `end`: and nothing after it. */
  respond(fields: readonly string[], end: boolean): void {
    if (this.closed || this.hasHead) return;
    this.hasHead = true;
    this.ending = end;
    this.#addHead(fields);
    this.#host.ready(this);
  }

  /** Sends a piece of the body. It must not change before `onSent`. */
  write(piece: Buffer): void {
    if (this.closed || this.ending || piece.length === 0) return;
    if (this.pieces === noPieces) this.pieces = [piece];
    else this.pieces.push(piece);
    this.queued += piece.length;
    this.#host.ready(this);
  }

  /** Ends the stream, with trailers or without. */
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

  /** Says that so many bytes of the body were used. */
  credit(bytes: number): void {
    this.#host.credit(this, bytes);
  }

  /** Forgets what was not sent. Called by the connection, when the stream is closed. */
  drop(): void {
    this.heads = noHeads;
    this.pieces = noPieces;
    this.queued = 0;
  }

  /** Asks the peer to send no more of the body, when our side has ended (RFC 9113 §8.1). */
  stop(): void {
    this.#host.stop(this);
  }

  /** Ends the stream at once. What was not sent is not sent. */
  reset(code: number): void {
    this.#host.reset(this, code);
  }
}
