/** Whether several threads can listen on one port (SO_REUSEPORT): on Linux and some BSDs, not on macOS and Windows. */
import { createServer } from 'node:net';

/** Tries it on a free port of the loopback interface. */
export function canReusePort(): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host: '127.0.0.1', port: 0, reusePort: true }, () => server.close(() => resolve(true)));
  });
}
