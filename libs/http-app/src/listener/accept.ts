/** Takes connections from a server as direct sockets. */
import type { Server } from 'node:net';
import { directReads } from '@sluice/base';
import { AcceptedSocket, type ConnectionHandle } from './accepted-socket.ts';

interface ServerHandleOfNode {
  onconnection?: (
    error: number,
    connection: (ConnectionHandle & { setNoDelay?(on: boolean): void }) | undefined,
  ) => void;
}

/**
 * Has `accept` called with direct sockets. This replaces the call-back of Node's internal handle; where there is no such
 * thing, or `directReads` are not allowed, the server goes on to emit `connection` with ordinary sockets, which only cost more. Those are not counted in
 * `server.getConnections`, and `server.close` does not wait for them.
 */
export function acceptDirectly(server: Server, accept: (socket: AcceptedSocket) => void): void {
  const handle = (server as Server & { _handle?: ServerHandleOfNode })._handle;
  const usual = handle?.onconnection;
  if (!directReads.allowed || handle === undefined || usual === undefined) return;
  handle.onconnection = function onConnection(error, connection): void {
    if (error !== 0 && error !== undefined) usual.call(this, error, connection);
    else if (connection !== undefined) {
      connection.setNoDelay?.(true);
      accept(new AcceptedSocket(connection));
    }
  };
}
