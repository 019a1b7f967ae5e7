/**
 * Frames that are wrong. nghttp2 knows which of them end a stream and which end the connection, and does so (RFC 9113 §5.4);
 * Node ends the connection for either, and for an acknowledgement that no PING asked for, which is to be ignored.
 */
import type { ServerHttp2Session } from 'node:http2';

/** Of nghttp2: a frame broke the protocol. */
const protocolError = -505;

/** How many such errors a connection may make. */
const mostErrors = 100;

/** Has a session with a window of this size go on after errors of one stream. Call before it reads anything. */
export function keepBehindStreamErrors(session: ServerHttp2Session, window: number): void {
  const destroy = session.destroy.bind(session);
  let errors = 0;
  session.destroy = (error?: Error, code?: number): void => {
    const isProtocolError = error instanceof Error && 'errno' in error && error.errno === protocolError;
    if (!isProtocolError || session.destroyed || ++errors > mostErrors) {
      destroy(error, code);
      return;
    }
    // Something to send tells what nghttp2 has done: once it has given a connection up, it sends nothing more.
    session.setLocalWindowSize(window + errors);
    setImmediate(() => (isGivenUp(session) ? destroy(error, code) : undefined));
  };
}

function isGivenUp({ destroyed, state }: ServerHttp2Session): boolean {
  return !destroyed && (state.outboundQueueSize ?? 0) > 0;
}
