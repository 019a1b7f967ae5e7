/** A look whether the other side has reset a connection of which nothing is read: a reset is told to who reads or writes. */
import { Duplex } from 'node:stream';

const nothing = Buffer.alloc(0);

/** Writes nothing: that fails, and destroys the socket, where there is a reset, and sends nothing where there is none. */
export function probe(socket: Duplex): void {
  if (socket.writableLength === 0) underTls(socket).write(nothing);
}

/** TLS does not tell of it: the socket under it is asked, by a part of Node that is not documented. */
function underTls(socket: Duplex): Duplex {
  const handle: unknown = Reflect.get(socket, '_handle');
  const under: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, '_parentWrap') : null;
  return under instanceof Duplex ? under : socket;
}
