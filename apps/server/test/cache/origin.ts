/** An origin server whose response bodies depend on the path. */
import { createServer, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Origin {
  readonly port: number;
  /** Number of requests received so far. */
  count: number;
  close(): void;
}

/** Returns the body for a path such as `/17`: up to 40,000 bytes, unique to the path. */
export function bodyOf(path: string): Buffer {
  const number = Number(path.slice(1)) || 0;
  return Buffer.alloc(100 + ((number * 7919) % (number % 50 === 0 ? 40_000 : 2000)), `${path} is here;`);
}

/** Starts the origin server. Its responses are fresh for an hour and delayed by `delay` milliseconds. */
export async function startOrigin(delay = 0): Promise<Origin> {
  const server: Server = createServer((request, response) => {
    origin.count++;
    void sleep(delay).then(() => {
      response.setHeader('Cache-Control', 'max-age=3600');
      response.end(bodyOf(request.url ?? ''));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = {
    port: (server.address() as { port: number }).port,
    count: 0,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return origin;
}
