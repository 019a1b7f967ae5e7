/**
 * The suite responds to the challenges of its own ACME clients on a port that it can tell only a server within its own process.
 * Any other validates on port 80 (RFC 8555 §8.3), from where this takes them there.
 */
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Where challenges are validated, and where the suite responds to them. */
const validationPort = 80;
const solverPort = 9081;

/** Forwards connections; gives what ends it, or `null` where port 80 cannot be had. */
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
