import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createSecureContext, TLSSocket, type SecureContext } from 'node:tls';
import { expect } from 'chai';
import { throwAwayCertificate } from '@sluice/testing';
import { EtcdConnection, get } from '../src/etcd/index.ts';
import { PostgresConnection } from '../src/postgres/index.ts';
import { RedisConnection } from '../src/redis/index.ts';
import type { TlsFiles } from '../src/tls-files.ts';
import { faults } from './faults.ts';

/** The certificate is valid for both the IP address and the host name, so every handshake succeeds. */
const names = ['127.0.0.1', 'localhost'];

/** Connects to a server and makes one call. The server closes the connection after the handshake. */
type Attempt = (endpoint: string, tls: TlsFiles) => Promise<{ close(): unknown; call(): Promise<unknown> }>;

const identity = { username: 'u', password: '' };
const clients: Readonly<Record<string, Attempt>> = {
  etcd: async (endpoint, tls) => {
    const connection = new EtcdConnection({ endpoints: [endpoint], username: '', password: '', tls }, faults);
    return { close: () => connection.close(), call: () => connection.call('KV', 'Range', get('x')) };
  },
  PostgreSQL: async (endpoint, tls) => {
    const needs = { strict: false, prepare: async (): Promise<void> => {} };
    const connection = new PostgresConnection(
      { ...identity, endpoints: [endpoint], database: 'd', tls },
      faults,
      needs,
    );
    return { close: () => connection.close(), call: () => connection.run('SELECT 1', []) };
  },
  Redis: async (endpoint, tls) => {
    const address = { ...identity, endpoints: [endpoint], sentinelMaster: '', database: 0, tls };
    const connection = new RedisConnection(address, faults, false);
    return { close: () => connection.close(), call: () => connection.run({ script: '', keys: [], values: [] }) };
  },
};

/** A server that completes TLS handshakes, closes the connections, and records the server names. */
class Recorder {
  readonly seen = new Set<string | null>();
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;

  /** If `asksFirst` is true, the client sends a message that requests TLS before the handshake, as PostgreSQL clients do. */
  constructor(secureContext: SecureContext, asksFirst: boolean) {
    const secure = (socket: Socket): void => {
      const secured = new TLSSocket(socket, { isServer: true, secureContext, ALPNProtocols: ['h2'] });
      secured.on('error', () => {});
      secured.once('secure', () => {
        this.seen.add((secured as { readonly servername?: string }).servername || null);
        secured.destroy();
      });
    };
    this.#server = createServer({ pauseOnConnect: true }, (socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => {});
      if (!asksFirst) {
        secure(socket);
        return;
      }
      socket.once('data', () => {
        socket.pause();
        socket.write('S');
        secure(socket);
      });
      socket.resume();
    });
  }

  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}

describe('TLS server names for stores', () => {
  for (const [title, open] of Object.entries(clients))
    it(`the ${title} client sends host names as SNI, but not IP addresses`, async () => {
      const { cert, key } = await throwAwayCertificate(names);
      for (const [host, sent] of [
        ['127.0.0.1', null],
        ['localhost', 'localhost'],
      ] as const) {
        const recorder = new Recorder(createSecureContext({ cert, key }), title === 'PostgreSQL');
        const port = await recorder.listen();
        const tls = { ca: Buffer.from(cert), certificate: null, key: null };
        const { call, close } = await open(`${host}:${port}`, tls);
        await call().catch(() => undefined);
        await close();
        recorder.close();
        expect(recorder.seen).to.deep.equal(new Set([sent]));
      }
    });
});
