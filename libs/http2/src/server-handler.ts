/** Interface between a connection and the code that handles its requests. */
import type { Guarded } from '@sluice/base';
import type { FieldLimits, RequestFields } from './request-fields.ts';
import type { Http2Stream } from './stream.ts';

/** Handles the requests of a connection. An exception in a method ends the connection. */
export interface ServerHandler extends Guarded {
  readonly fieldLimits: FieldLimits;
  /** Handles a request, and sets the stream's owner. If there is no body, the client side has already ended. */
  onRequest(stream: Http2Stream, fields: RequestFields): void;
  /** Called after a stream was closed and its owner was notified. */
  onStreamClosed(): void;
  /** Called when the connection is closing. The connection ends after its last frame is written; the caller must enforce a timeout. */
  onEnding(): void;
  /** Called when the connection was ended because of abusive client behavior. */
  onAbuse(reason: string): void;
}
