/**
 * Returns the number of bytes of the current write that the kernel has not accepted yet. Callers use it to detect progress within a large
 * write.
 */
import type { Duplex } from 'node:stream';

/** Reads an undocumented property that Node also uses for its own timeouts. Returns `null` if the property is missing. */
export function queuedBytes(socket: Duplex): number | null {
  // Sockets without a libuv handle have this property.
  const own: unknown = Reflect.get(socket, 'queuedBytes');
  if (typeof own === 'number') return own;
  const handle: unknown = Reflect.get(socket, '_handle');
  if (typeof handle !== 'object' || handle === null) return null;
  const size: unknown = Reflect.get(handle, 'writeQueueSize');
  return typeof size === 'number' ? size : null;
}

/** Reports whether the kernel has not accepted all bytes yet, even if their writes have completed. */
export function isQueued(socket: Duplex): boolean {
  return (queuedBytes(socket) ?? 0) > 0;
}
