/** What a connection needs of whoever serves its requests. */
import type { Guarded } from '@sluice/base';
import type { FieldLimits, RequestFields } from './request-fields.ts';
import type { Http2Stream } from './stream.ts';

/** Who serves the requests of a connection. What its methods throw ends the connection. */
export interface ServerHandler extends Guarded {
  /** Limits of the fields of a request that has begun. */
  readonly fieldLimits: FieldLimits;
  /** A request: sets the owner of its stream, which has ended on the client's side where there is no body. */
  onRequest(stream: Http2Stream, fields: RequestFields): void;
  /** A stream was closed, after its owner was told. */
  onStreamClosed(): void;
  /** The connection is given up, and closed when its last frame is written: who runs it sees to it that this does not take long. */
  onEnding(): void;
  /** The connection was given up for something that its client has done; it ends by itself. */
  onAbuse(reason: string): void;
}
