/** Interface between an HTTP/2 connection and the code that handles its requests. */
import type { Guarded } from '@sluice/base';
import type { FieldLimits, RequestFields } from './request-fields.ts';
import type { Http2Stream } from './stream.ts';

/** Handler of a connection's requests. An exception in a method ends the connection. */
export interface ServerHandler extends Guarded {
  readonly fieldLimits: FieldLimits;
  /** Handles a request and sets the owner of its stream. For a request without a body, the client has already ended its side of the stream. */
  onRequest(stream: Http2Stream, fields: RequestFields): void;
  /** Called after a stream has closed and its owner was notified. */
  onStreamClosed(): void;
  /** Called when the connection starts to close. The connection ends after its last frame is written. The caller must enforce a timeout. */
  onEnding(): void;
  /** Called when the connection was closed because of abusive client behavior. */
  onAbuse(reason: string): void;
}
