/**
 * One direction of an upgraded connection: what one socket reads is written to the other, and its end is passed on. A piece
 * is copied once, into memory that is used again, and nothing more is read than the other side takes.
 */
import type { Duplex } from 'node:stream';
import { guarded, type Guarded } from '@sluice/base';
import { isDirect, SendBuffer } from '@sluice/http-app';

/** Passes on what `from` sends. `owner` has what callbacks throw. */
export function relay(from: Duplex, to: Duplex, owner: Guarded): void {
  if (from.readableEnded) {
    to.end();
    return;
  }
  if (!isDirect(from)) {
    from.pipe(to);
    return;
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
  const pass = (bytes: Buffer, end: number): void => {
    if (!to.writable) return;
    const piece = memory.take(end, isIdle(to));
    bytes.copy(piece, 0, 0, end);
    if (!to.write(piece)) from.pause();
    if (isIdle(to)) letGo();
  };
  // What came before there was anyone to read it.
  const early = from.readableLength > 0 ? (from.read() as Buffer | null) : null;
  if (early !== null) pass(early, early.length);
  from.directReader = pass;
  from.resume();
}

/** Whether all that was written was taken. */
function isIdle(socket: Duplex): boolean {
  return socket.writableLength === 0 && !socket.destroyed;
}
