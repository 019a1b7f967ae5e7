/** A stream of HTTP/2 or HTTP/3, as exchanges use it: the two differ on the wire alone. */
import type { Guarded } from '@sluice/base';
import type { HeaderMap } from '@sluice/http1';

/** Who uses a stream. What its callbacks throw resets the stream. */
export interface StreamOwner extends Guarded {
  /** Bytes of the body, to be used or copied at once. They count against the windows until `credit`. */
  onData(bytes: Buffer): void;
  /** The body is complete; `null` for no trailers. */
  onEnd(trailers: HeaderMap | null): void;
  /** What was written has left, or nearly all of it: there is room for more. */
  onSent(): void;
  /** The stream is closed, with an error code of the peer, or ours. Called once, and nothing after it. */
  onClose(code: number): void;
}

/** Error codes of a protocol for what ends a stream (RFC 9113 §7, RFC 9114 §8.1). */
export interface ResetCodes {
  readonly noError: number;
  readonly internalError: number;
  readonly cancel: number;
}

export interface MultiplexedStream {
  owner: StreamOwner | null;
  readonly codes: ResetCodes;
  readonly closed: boolean;
  /** Whether the peer has sent its last frame, and we have sent ours. */
  readonly remoteEnded: boolean;
  readonly localEnded: boolean;
  /** As declared; -1 for nothing. */
  readonly contentLength: number;
  /** Interim responses and heads that were not sent yet. */
  readonly heads: { readonly length: number };
  /** Bytes of the body that were written and not sent. */
  readonly queued: number;
  /** No more will be written. */
  readonly ending: boolean;
  /** Sends fields that are not the final head: names in lower case and values of a character per byte, in turn. */
  interim(fields: readonly string[]): void;
  /** Sends the head. `end`: and nothing after it. */
  respond(fields: readonly string[], end: boolean): void;
  /** Sends a piece of the body. It must not change before `onSent`. */
  write(piece: Buffer): void;
  /** Ends the stream, with trailers or without. */
  end(trailers: readonly string[] | null): void;
  /** Lets the peer send as many bytes of the body again. */
  credit(bytes: number): void;
  /** Asks the peer to send no more of the body, when our side has ended. */
  stop(): void;
  /** Ends the stream at once, with one of {@link codes}. What was not sent is not sent. */
  reset(code: number): void;
}
