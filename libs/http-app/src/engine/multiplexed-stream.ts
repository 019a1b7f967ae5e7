/** An HTTP/2 or HTTP/3 stream, as used by exchanges. The protocols differ only on the wire. */
import type { Guarded } from '@sluice/base';
import type { HeaderMap } from '@sluice/http1';

/** User of a stream. An exception in a callback resets the stream. */
export interface StreamOwner extends Guarded {
  /** Called with body bytes. Use or copy them immediately. The bytes count against the windows until `credit`. */
  onData(bytes: Buffer): void;
  /** Called when the body is complete; `null` for no trailers. */
  onEnd(trailers: HeaderMap | null): void;
  /** Called when the written data is sent, or nearly sent, so that there is room for more. */
  onSent(): void;
  /** Called once when the stream closes, with the error code of the peer or of this side. No callback follows. */
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
  /** True if the peer has sent the last frame; true if our side has sent the last frame. */
  readonly remoteEnded: boolean;
  readonly localEnded: boolean;
  /** Declared Content-Length; -1 if not declared. */
  readonly contentLength: number;
  /** Interim responses and heads not sent yet. */
  readonly heads: { readonly length: number };
  /** Bytes of the body written but not sent. */
  readonly queued: number;
  /** Nothing more will be written. */
  readonly ending: boolean;
  /** Sends fields other than the final head: alternating lowercase names and values with one character per byte. */
  interim(fields: readonly string[]): void;
  /** Sends the head. `end` is true if nothing follows. */
  respond(fields: readonly string[], end: boolean): void;
  /** Sends a piece of the body. The piece must not change before `onSent`. */
  write(piece: Buffer): void;
  end(trailers: readonly string[] | null): void;
  /** Lets the peer send this many more body bytes. */
  credit(bytes: number): void;
  /** Requests the peer to stop sending the body, after our side has ended. */
  stop(): void;
  /** Closes the stream immediately with an error code from {@link codes}. Unsent data is discarded. */
  reset(code: number): void;
}
