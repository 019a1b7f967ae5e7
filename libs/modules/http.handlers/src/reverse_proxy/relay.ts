/**
 * One direction of an upgraded connection: what one socket reads is written to the other, and its end is passed on. A piece
 * is copied once, into memory that is used again, and nothing more is read than the other side takes.
 */
import type { Duplex } from 'node:stream';
import { guarded, type Guarded } from '@sluice/base';
import { isDirect, SendBuffer } from '@sluice/http-app';
import type { FrameBoundaries } from './websocket-frames.ts';

/** One direction of a tunnel. */
export interface Relay {
  /**
   * Ends it with a last frame instead of what `from` goes on to send, which is read and thrown away: what is not read would
   * reset the connection before the frame arrives. The frame follows the one that is passed on now.
   */
  endWith(last: Buffer): void;
}

/** Passes on what `from` sends. `owner` has what callbacks throw; `frames` is `null` for what is not a WebSocket. */
export function relay(from: Duplex, to: Duplex, owner: Guarded, frames: FrameBoundaries | null): Relay {
  let last: Buffer | null = null;
  let over = false;
  /** The part of `bytes[0..end)` to pass on. */
  const share = (bytes: Buffer, end: number): number =>
    over ? 0 : frames === null ? end : frames.pass(bytes, 0, end, last !== null);
  const endIfBetween = (): void => {
    if (last === null || over || !(frames?.between ?? true)) return;
    over = true;
    if (to.writable) to.end(last);
    from.resume();
  };
  const ended: Relay = {
    endWith(frame) {
      last = frame;
      endIfBetween();
    },
  };
  if (from.readableEnded) {
    to.end();
    return ended;
  }
  if (!isDirect(from)) {
    from.on(
      'data',
      guarded(owner, (chunk: Buffer) => {
        const end = share(chunk, chunk.length);
        if (end > 0 && to.writable && !to.write(chunk.subarray(0, end)) && !over) from.pause();
        endIfBetween();
      }),
    );
    to.on(
      'drain',
      guarded(owner, () => void from.resume()),
    );
    from.once(
      'end',
      guarded(owner, () => to.end()),
    );
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
  from.once(
    'end',
    guarded(owner, () => to.end()),
  );
  const pass = (bytes: Buffer, length: number): void => {
    if (!to.writable) return;
    const end = share(bytes, length);
    if (end > 0) {
      const piece = memory.take(end, isIdle(to));
      bytes.copy(piece, 0, 0, end);
      if (!to.write(piece)) from.pause();
    }
    endIfBetween();
    if (isIdle(to)) letGo();
  };
  // What came before there was anyone to read it.
  const early = from.readableLength > 0 ? (from.read() as Buffer | null) : null;
  if (early !== null) pass(early, early.length);
  from.directReader = pass;
  from.resume();
  return ended;
}

/** Whether all that was written was taken. */
function isIdle(socket: Duplex): boolean {
  return socket.writableLength === 0 && !socket.destroyed;
}
