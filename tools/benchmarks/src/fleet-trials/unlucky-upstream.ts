/** Upstream that fails at random, for rollouts that must be rolled back. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Random } from './random.ts';

/** Upstream server in this process. */
export class UnluckyUpstream {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Starts an upstream that responds with `body`. `share` is the fraction of requests that get a 503 response. */
  static async start(body: string, share: number, random: Random): Promise<UnluckyUpstream> {
    const server = createServer((_, response) => {
      response.statusCode = random.next() < share ? 503 : 200;
      response.end(body);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new UnluckyUpstream(server);
  }

  /** Address to dial. */
  get dial(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
