/**
 * Relays one direction of an upgraded connection. Writes the data read from one socket to the other, and passes on the end. The data is
 * copied once, into memory that is reused, and read at the speed of the receiver.
 */
import type { Duplex } from 'node:stream';
import { guarded, type Guarded } from '@sluice/base';
import { isDirect, SendBuffer } from '@sluice/http-app';
import type { FrameBoundaries } from './websocket-frames.ts';

export interface Relay {
  /**
   * Ends this direction with a Close frame after the current frame. Further data from `from` is discarded, because unread data would cause
   * a reset before the frame arrives. `to` stays open until it has sent its own Close frame (RFC 6455 §5.5.1). Some clients treat an
   * earlier end as a failure.
   */
  endWith(last: Buffer): void;
}

/** Relays data from `from` to `to`. `owner` handles exceptions in callbacks. `frames` is set only for WebSockets. */
export function relay(from: Duplex, to: Duplex, owner: Guarded, frames: FrameBoundaries | null): Relay {
  let last: Buffer | null = null;
  let over = false;
  const endIfBetween = (): void => {
    if (last === null || over || !(frames?.between ?? true)) return;
    over = true;
    if (to.writable) to.write(last);
    from.resume();
  };
  /** Passes on a chunk with `write`. If a Close frame must be inserted, passes on only the part before it. */
  const pass = (bytes: Buffer, length: number, write: (bytes: Buffer, end: number) => void): void => {
    const end = over ? 0 : frames === null ? length : frames.pass(bytes, 0, length, last !== null);
    if (end > 0 && to.writable) write(bytes, end);
    endIfBetween();
    if (!over || frames === null) return;
    frames.pass(bytes, end, length, false);
    endIfReplied();
  };
  /** Ends `from` if it has replied with a Close frame. */
  const endIfReplied = (): void => {
    if (frames?.closed === true && from.writable) from.end();
  };
  const onEnd = guarded(owner, () => {
    if (!over) to.end();
  });
  const ended: Relay = {
    endWith(frame) {
      last = frame;
      endIfBetween();
      if (over) endIfReplied();
    },
  };
  if (from.readableEnded) {
    to.end();
    return ended;
  }
  if (!isDirect(from)) {
    const write = (bytes: Buffer, end: number): void => {
      if (!to.write(bytes.subarray(0, end))) from.pause();
    };
    from.on(
      'data',
      guarded(owner, (chunk: Buffer) => pass(chunk, chunk.length, write)),
    );
    to.on(
      'drain',
      guarded(owner, () => void from.resume()),
    );
    from.once('end', onEnd);
    return ended;
  }
  const memory = new SendBuffer();
  const letGo = (): void => memory.release(isIdle(to));
  to.on(
    'drain',
    guarded(owner, () => {
      letGo();
      from.resume();
    }),
  );
  to.once('close', guarded(owner, letGo));
  from.once('end', onEnd);
  const writeCopy = (bytes: Buffer, end: number): void => {
    const piece = memory.take(end, isIdle(to));
    bytes.copy(piece, 0, 0, end);
    if (!to.write(piece)) from.pause();
  };
  const read = (bytes: Buffer, length: number): void => {
    pass(bytes, length, writeCopy);
    if (isIdle(to)) letGo();
  };
  // Data that arrived before a reader was attached.
  const early = from.readableLength > 0 ? (from.read() as Buffer | null) : null;
  if (early !== null) read(early, early.length);
  from.directReader = read;
  from.resume();
  return ended;
}

/** Reports whether the socket has accepted all written data. */
function isIdle(socket: Duplex): boolean {
  return socket.writableLength === 0 && !socket.destroyed;
}
