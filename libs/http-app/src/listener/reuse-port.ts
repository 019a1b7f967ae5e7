/** Whether several threads can listen on one port (SO_REUSEPORT), each with its own queue of connections. */
import { createServer } from 'node:net';

let supported: Promise<boolean> | null = null;

/** Finds out by trying, once per thread. */
export function reusePortSupported(): Promise<boolean> {
  return (supported ??= tryReusePort());
}

function tryReusePort(): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host: '127.0.0.1', port: 0, reusePort: true }, () => server.close(() => resolve(true)));
  });
}
