/**
 * Frames that wait to be sent. Flow control holds back bodies only (RFC 9113 §5.2.1): whoever sends interim responses to a
 * client that reads nothing would fill the memory with them. No event tells of this queue, so it is looked at in turn.
 */
import type { ServerHttp2Stream } from 'node:http2';
import { ClientGoneError } from '../../errors.ts';

/** Frames of a connection that may wait. */
const maxQueued = 64;
/** Milliseconds between two looks. */
const interval = 10;

/** Whether the client takes frames more slowly than they come. */
export function hasLongQueue({ session }: ServerHttp2Stream): boolean {
  return session !== undefined && !session.destroyed && (session.state.outboundQueueSize ?? 0) > maxQueued;
}

/** Resolves when the queue is short again; rejects if the client has gone. */
export function queueDrained(stream: ServerHttp2Stream): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      if (stream.destroyed || stream.closed) reject(new ClientGoneError());
      else if (hasLongQueue(stream)) setTimeout(look, interval).unref();
      else resolve();
    };
    look();
  });
}
