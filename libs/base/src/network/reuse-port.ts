/** Detects SO_REUSEPORT, which allows several threads to listen on one port. Linux and some BSDs support it; macOS and Windows do not. */
import { createServer } from 'node:net';

/** Binds a free port on the loopback interface twice. */
export function canReusePort(): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host: '127.0.0.1', port: 0, reusePort: true }, () => server.close(() => resolve(true)));
  });
}
