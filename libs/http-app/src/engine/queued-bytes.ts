/** How much of a write the system has not taken yet, so that progress of a slow client is seen within a large one. */
import type { Duplex } from 'node:stream';

/** By a part of Node that is not documented, and that Node's own time-outs use; `null` where it is missing. */
export function queuedBytes(socket: Duplex): number | null {
  const handle: unknown = Reflect.get(socket, '_handle');
  if (typeof handle !== 'object' || handle === null) return null;
  const size: unknown = Reflect.get(handle, 'writeQueueSize');
  return typeof size === 'number' ? size : null;
}
