/** Detects resets on a connection that is not read, because resets are only reported on reads and writes. */
import { Duplex } from 'node:stream';

const nothing = Buffer.alloc(0);

/** Writes zero bytes. After a reset, the write fails and destroys the socket; otherwise nothing is sent. */
export function probe(socket: Duplex): void {
  if (socket.writableLength === 0) underTls(socket).write(nothing);
}

/** TLS hides resets, so the underlying socket is checked through an undocumented property of Node. */
function underTls(socket: Duplex): Duplex {
  const handle: unknown = Reflect.get(socket, '_handle');
  const under: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, '_parentWrap') : null;
  return under instanceof Duplex ? under : socket;
}
