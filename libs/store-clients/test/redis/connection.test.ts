import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { RedisConnection } from '../../src/redis/connection.ts';
import { faults } from '../faults.ts';

const info = 'role:master\r\naof_enabled:1\r\nmaxmemory:0\r\nmaxmemory_policy:noeviction\r\n';

/** A server that responds to setup commands. It closes every connection that runs a script. */
class DroppingRedis {
  scripts = 0;
  readonly #server: Server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => this.#respond(socket, String(bytes)));
  });

  async start(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  stop(): void {
    this.#server.close();
  }

  #respond(socket: Socket, text: string): void {
    for (const [, command] of text.matchAll(/^\*\d+\r\n\$\d+\r\n(\w+)/gm)) {
      if (/eval/i.test(command as string)) {
        this.scripts++;
        socket.destroy();
        return;
      }
      socket.write(/info/i.test(command as string) ? `$${info.length}\r\n${info}\r\n` : '*0\r\n');
    }
  }
}

describe('RedisConnection', () => {
  for (const endpoints of [1, 3])
    it(`RedisConnection retries a call once after a lost connection, and then rejects (${endpoints} endpoints)`, async () => {
      const server = new DroppingRedis();
      const place = `127.0.0.1:${await server.start()}`;
      const address = {
        endpoints: Array.from({ length: endpoints }, () => place),
        sentinelMaster: '',
        username: '',
        password: '',
        database: 0,
        tls: null,
      };
      const connection = new RedisConnection(address, faults, true);
      const call = { script: 'return 1', keys: [], values: [] };
      expect(await connection.decide(call).catch(String)).to.equal('Error: unknown');
      expect(server.scripts).to.equal(endpoints + 1);
      connection.close();
      server.stop();
    });
});
