/** Returns the bytes of a write that the kernel has not accepted yet, to detect progress within a large write. */
import type { Duplex } from 'node:stream';

/** Uses an undocumented property that Node's own timeouts also use; `null` if missing. */
export function queuedBytes(socket: Duplex): number | null {
  const handle: unknown = Reflect.get(socket, '_handle');
  if (typeof handle !== 'object' || handle === null) return null;
  const size: unknown = Reflect.get(handle, 'writeQueueSize');
  return typeof size === 'number' ? size : null;
}
