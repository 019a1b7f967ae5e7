/**
 * Detects support for SO_REUSEPORT, which allows several threads to listen on one port. Linux and some BSDs support this option. macOS and
 * Windows do not.
 */
import { createServer } from 'node:net';

/** Reports whether SO_REUSEPORT works, by binding the same free loopback port twice. */
export function canReusePort(): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host: '127.0.0.1', port: 0, reusePort: true }, () => server.close(() => resolve(true)));
  });
}
