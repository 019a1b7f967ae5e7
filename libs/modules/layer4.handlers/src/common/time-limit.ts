/** Limits the time for clients to send data that a handler waits for. */
import { guarded } from '@sluice/base';
import type { Layer4Connection } from '@sluice/layer4-app';

/** Maximum time for a handshake, in milliseconds. */
const limit = 15_000;

/** Closes a connection after the limit, unless the returned function is called first. `what` is the awaited event. */
export function limitTime(connection: Layer4Connection, what: string): () => void {
  const { socket } = connection;
  const timer = setTimeout(
    guarded(connection, () => {
      connection.warn(`${what} timed out`);
      connection.cut();
    }),
    limit,
  ).unref();
  const stop = (): void => {
    clearTimeout(timer);
    socket.off('close', stop);
  };
  socket.once('close', stop);
  return stop;
}
