/**
 * Forwards ACME challenges. The suite answers the challenges of its own ACME clients on a port that it can announce
 * only to a server in its own process. All other servers validate on port 80 (RFC 8555 §8.3), which is forwarded to
 * that port.
 */
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Port of validation requests, and port on which the suite answers them. */
const validationPort = 80;
const solverPort = 9081;

/** Forwards connections. Returns a function that stops it, or `null` if port 80 is not available. */
export async function forwardChallenges(): Promise<(() => Promise<void>) | null> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const solver = connect(solverPort, '127.0.0.1');
    for (const socket of [client, solver]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    }
    client.pipe(solver).pipe(client);
    client.on('close', () => solver.destroy());
    solver.on('close', () => client.destroy());
  });
  if (!(await listens(server))) return null;
  return async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
}

function listens(server: Server): Promise<boolean> {
  return new Promise((resolve) => {
    server.on('error', () => resolve(false));
    server.listen(validationPort, '127.0.0.1', () => resolve(true));
  });
}
