/** The HTTP upstream of the path test matrix. It responds with the request target that it received. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts an HTTP upstream on a loopback port. */
export async function listenHttp(): Promise<{ readonly port: number; close(): void }> {
  const server: Server = createServer((request, response) => {
    response.setHeader('Content-Type', 'text/plain');
    response.end(`upstream got ${request.url ?? ''}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
