/** An HTTP/2 or HTTP/3 stream as used by exchanges. */
import type { Guarded } from '@sluice/base';
import type { HeaderMap } from '@sluice/http1';

/** Owner of a stream. An exception in a callback resets the stream. */
export interface StreamOwner extends Guarded {
  /**
   * Called with body bytes, which are only valid during the call. The bytes count against the flow-control windows
   * until `credit`.
   */
  onData(bytes: Buffer): void;
  /** Called when the body is complete; `null` for no trailers. */
  onEnd(trailers: HeaderMap | null): void;
  /** Called when most of the written data is sent, so that more can be written. */
  onSent(): void;
  /** Called once when the stream closes, with the error code that either side sent. No callback follows. */
  onClose(code: number): void;
}

/** Error codes of a protocol for closing a stream (RFC 9113 §7, RFC 9114 §8.1). */
export interface ResetCodes {
  readonly noError: number;
  readonly internalError: number;
  readonly cancel: number;
}

export interface MultiplexedStream {
  owner: StreamOwner | null;
  readonly codes: ResetCodes;
  readonly closed: boolean;
  /** True if the peer, or our side, has sent its last frame. */
  readonly remoteEnded: boolean;
  readonly localEnded: boolean;
  /** Declared Content-Length; -1 if not declared. */
  readonly contentLength: number;
  /** Queued interim responses and heads. */
  readonly heads: { readonly length: number };
  /** Number of body bytes written but not sent. */
  readonly queued: number;
  /** True if nothing more will be written. */
  readonly ending: boolean;
  /** Sends an interim response or trailers: alternating lowercase names and values with one character per byte. */
  interim(fields: readonly string[]): void;
  /** Sends the head. `end` is true if nothing follows. */
  respond(fields: readonly string[], end: boolean): void;
  /** Sends a body chunk, which must not change before `onSent`. */
  write(piece: Buffer): void;
  end(trailers: readonly string[] | null): void;
  /** Opens the flow-control window by this many bytes. */
  credit(bytes: number): void;
  /** Asks the peer to stop sending the body, after our side has ended. */
  stop(): void;
  /** Resets the stream with an error code from {@link codes}, and discards unsent data. */
  reset(code: number): void;
}
