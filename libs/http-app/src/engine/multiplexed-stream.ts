/** Interface through which exchanges use HTTP/2 and HTTP/3 streams. */
import type { Guarded } from '@sluice/base';
import type { HeaderMap } from '@sluice/http1';

/** Owner of a stream. An exception in one of its callbacks resets the stream. */
export interface StreamOwner extends Guarded {
  /**
   * Called with body bytes, which are valid only during the call. The bytes count against the flow-control windows until the owner calls
   * `credit`.
   */
  onData(bytes: Buffer): void;
  /** Called when the body is complete. `trailers` is `null` if the request has no trailers. */
  onEnd(trailers: HeaderMap | null): void;
  /** Called when most of the written data has been sent, so that the owner can write more. */
  onSent(): void;
  /** Called once when the stream closes, with the error code that either side sent. No further callbacks follow. */
  onClose(code: number): void;
}

/** Protocol-specific error codes for closing a stream (RFC 9113 §7, RFC 9114 §8.1). */
export interface ResetCodes {
  readonly noError: number;
  readonly internalError: number;
  readonly cancel: number;
}

export interface MultiplexedStream {
  owner: StreamOwner | null;
  readonly codes: ResetCodes;
  readonly closed: boolean;
  /** True if the peer has sent its last frame. `localEnded` is true if this side has sent its last frame. */
  readonly remoteEnded: boolean;
  readonly localEnded: boolean;
  /** Value of the `Content-Length` header. -1 if there is none. */
  readonly contentLength: number;
  /** Queue of interim responses and response headers. */
  readonly heads: { readonly length: number };
  /** Number of body bytes that have been written but not sent. */
  readonly queued: number;
  /** True if no more data will be written. */
  readonly ending: boolean;
  /** Sends an interim response or trailers, as alternating lowercase names and values. Strings have one character per byte. */
  interim(fields: readonly string[]): void;
  /** Sends the response headers. `end` is true if nothing follows. */
  respond(fields: readonly string[], end: boolean): void;
  /** Sends a body chunk. The chunk must not change before `onSent` is called. */
  write(piece: Buffer): void;
  end(trailers: readonly string[] | null): void;
  /** Extends the flow-control window by the given number of bytes. */
  credit(bytes: number): void;
  /** Asks the peer to stop sending the body, after the server's side of the stream has ended. */
  stop(): void;
  /** Resets the stream with an error code from {@link codes}. Discards unsent data. */
  reset(code: number): void;
}
