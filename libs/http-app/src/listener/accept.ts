/** Accepts a server's connections as direct sockets. */
import type { Server } from 'node:net';
import { AcceptedSocket, directReads, type ConnectionHandle } from '@sluice/base';

interface ServerHandleOfNode {
  onconnection?: (
    error: number,
    connection: (ConnectionHandle & { setNoDelay?(on: boolean): void }) | undefined,
  ) => void;
}

/**
 * Calls `accept` with direct sockets, by replacing the callback of Node's internal handle. If the replacement is not possible or
 * `directReads` is off, the server emits `connection` with ordinary, slower sockets. `server.getConnections` does not count direct sockets,
 * and `server.close` does not wait for them.
 */
export function acceptDirectly(server: Server, accept: (socket: AcceptedSocket) => void): void {
  const handle = (server as Server & { _handle?: ServerHandleOfNode })._handle;
  const original = handle?.onconnection;
  if (!directReads.allowed || handle === undefined || original === undefined) return;
  handle.onconnection = function onConnection(error, connection): void {
    if (error !== 0 && error !== undefined) original.call(this, error, connection);
    else if (connection !== undefined) {
      connection.setNoDelay?.(true);
      accept(new AcceptedSocket(connection));
    }
  };
}
