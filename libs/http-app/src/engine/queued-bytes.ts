/**
 * Returns the number of bytes of the current write that the kernel has not accepted yet. Callers use it to detect progress within a large
 * write.
 */
import type { Duplex } from 'node:stream';
import { PolledSocket } from '@sluice/native';

/** Reads an undocumented property that Node also uses for its own timeouts. Returns `null` if the property is missing. */
export function queuedBytes(socket: Duplex): number | null {
  if (socket instanceof PolledSocket) return socket.queuedBytes;
  const handle: unknown = Reflect.get(socket, '_handle');
  if (typeof handle !== 'object' || handle === null) return null;
  const size: unknown = Reflect.get(handle, 'writeQueueSize');
  return typeof size === 'number' ? size : null;
}
