/**
 * Forwards ACME challenges from port 80 to the suite. The suite answers challenges on a port that only a server in the same process can
 * determine. Other servers validate on port 80 (RFC 8555 §8.3).
 */
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Port that receives validation requests, and the port where the suite answers them. */
const validationPort = 80;
const solverPort = 9081;

/** Forwards connections. Returns a function that stops forwarding, or `null` if port 80 is not available. */
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
