/** Detects connection resets on a connection that is not being read. Node reports resets only on reads and writes. */
import { Duplex } from 'node:stream';

const nothing = Buffer.alloc(0);

/** Writes zero bytes. After a reset, the write fails and destroys the socket. Otherwise, nothing is sent. */
export function probe(socket: Duplex): void {
  if (socket.writableLength === 0) underTls(socket).write(nothing);
}

/** Returns the socket underneath a TLS socket, because TLS hides resets. Uses an undocumented property of Node. */
function underTls(socket: Duplex): Duplex {
  const handle: unknown = Reflect.get(socket, '_handle');
  const under: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, '_parentWrap') : null;
  return under instanceof Duplex ? under : socket;
}
