/** An upstream that fails by chance: what a change leads to that is not as good as it seemed. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Random } from './random.ts';

/** One upstream, in this process. */
export class UnluckyUpstream {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Starts one that says `body`, but for a share of the requests, which get 503. */
  static async start(body: string, share: number, random: Random): Promise<UnluckyUpstream> {
    const server = createServer((_, response) => {
      response.statusCode = random.next() < share ? 503 : 200;
      response.end(body);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new UnluckyUpstream(server);
  }

  /** As proxies dial it. */
  get dial(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
