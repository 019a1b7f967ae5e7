/** Limits how long a handler waits for data from a client. */
import { guarded } from '@sluice/base';
import type { Layer4Connection } from '@sluice/layer4-app';

/** Maximum duration of a handshake, in milliseconds. */
const limit = 15_000;

/** Closes a connection when the time limit has passed. The returned function cancels the limit. `what` names the awaited event. */
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
