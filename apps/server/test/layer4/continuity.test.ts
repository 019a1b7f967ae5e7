/**
 * Tests connections during configuration changes. The environment variables `SLUICE_TEST_CONNECTIONS` and `SLUICE_TEST_CHANGES` set the
 * numbers. The trial uses higher numbers.
 */
import { createServer as createHttpServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { RawClient, startEchoUpstream, throwAwayCertificate, type EchoUpstream } from '@sluice/testing';
import { Sandbox } from '../support/sandbox.ts';
import { TestServer } from '../support/server.ts';

const connections = Number(process.env['SLUICE_TEST_CONNECTIONS'] ?? 100);
const changes = Number(process.env['SLUICE_TEST_CHANGES'] ?? 12);
/** Maximum number of concurrent connections. */
const concurrency = 200;

/** Runs a task `count` times with limited concurrency. */
async function times(count: number, task: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (;;) {
      const index = next++;
      if (index >= count) return;
      await task(index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, count) }, worker));
}

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Alternately changes a handler, changes a matcher, and adds or removes a route. */
async function change(server: TestServer, index: number): Promise<void> {
  const routes = '/config/apps/layer4/servers/s/routes';
  const asks = [
    [`${routes}/0/match/0/regexp/pattern`, { method: 'PATCH', body: `^never${index}` }],
    [`${routes}/1/handle/0/load_balancing/try_interval`, { method: 'PATCH', body: `${100 + index}ms` }],
    [`${routes}/2`, { method: 'PUT', body: { match: [{ xmpp: {} }], handle: [{ handler: 'echo' }] } }],
    [`${routes}/2`, { method: 'DELETE' }],
  ] as const;
  const [path, ask] = asks[index % asks.length] as (typeof asks)[number];
  const { status, text } = await server.admin(path, ask);
  expect(status, text).to.equal(200);
}

describe('layer4 connections during changes', () => {
  let sandbox: Sandbox;
  let upstream: EchoUpstream;
  beforeEach(async () => {
    sandbox = new Sandbox();
    upstream = await startEchoUpstream('');
  });
  afterEach(async () => {
    await upstream.close();
    await sandbox.remove();
  });

  it(`layer4 transfers all data of ${connections} connections during ${changes} changes`, async function () {
    this.timeout(0);
    const server = await TestServer.runWith(
      sandbox,
      (admin, port) => ({
        admin: { listen: `127.0.0.1:${admin}` },
        apps: {
          layer4: {
            servers: {
              s: {
                listen: [`127.0.0.1:${port}`],
                routes: [
                  { match: [{ regexp: { pattern: '^never', count: 6 } }], handle: [{ handler: 'close' }] },
                  {
                    match: [{ ssh: {} }],
                    handle: [
                      {
                        handler: 'proxy',
                        upstreams: [{ dial: [`127.0.0.1:${upstream.port}`] }],
                        load_balancing: { try_interval: '100ms' },
                      },
                    ],
                  },
                  { handle: [{ handler: 'close' }] },
                ],
              },
            },
          },
        },
      }),
      ['--workers', '2'],
    );
    let done = 0;
    const lost: number[] = [];
    /** Connections that stay open during all changes. */
    const kept = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const client = new RawClient(server.httpPort).send('SSH-2.0 kept');
        await client.until('kept');
        return client;
      }),
    );
    const changing = (async (): Promise<void> => {
      for (; done < changes; done++) await change(server, done);
    })();
    await times(connections, async (index) => {
      const client = new RawClient(server.httpPort).send(`SSH-2.0 ${index}`);
      const seen = done;
      await client.until(String(index)).catch(() => lost.push(index));
      // Waits until a few more changes are active, if any remain.
      while (done < Math.min(changes, seen + 2)) await sleep(5);
      client.send(' again');
      if ((await client.rest()) !== `SSH-2.0 ${index} again`) lost.push(index);
    });
    await changing;
    for (const client of kept) if ((await client.send(' still').rest()) !== 'SSH-2.0 kept still') lost.push(-1);
    expect(lost).to.eql([]);
    expect(done).to.equal(changes);
    await server.stop();
  });

  it(`layer4 completes ${connections} handshakes on a port with HTTP and TLS passthrough during ${changes} changes`, async function () {
    this.timeout(0);
    const { cert, key } = await throwAwayCertificate(['tls.test']);
    const secure = createTlsServer({ cert, key }, (socket) => socket.end('secure'));
    secure.on('tlsClientError', () => undefined);
    const web = createHttpServer((_, response) => response.end('web'));
    const [securePort, webPort] = [await portOf(secure), await portOf(web)];
    const proxy = (port: number): object => ({ handler: 'proxy', upstreams: [{ dial: [`127.0.0.1:${port}`] }] });
    const server = await TestServer.runWith(
      sandbox,
      (admin, port) => ({
        admin: { listen: `127.0.0.1:${admin}` },
        apps: {
          layer4: {
            servers: {
              s: {
                listen: [`127.0.0.1:${port}`],
                routes: [
                  { match: [{ regexp: { pattern: '^never', count: 6 } }], handle: [{ handler: 'close' }] },
                  {
                    match: [{ tls: { sni: ['tls.test'] } }],
                    handle: [{ ...proxy(securePort), load_balancing: { try_interval: '100ms' } }],
                  },
                  { match: [{ http: [] }], handle: [proxy(webPort)] },
                ],
              },
            },
          },
        },
      }),
      ['--workers', '2'],
    );
    let done = 0;
    let failed = 0;
    const changing = (async (): Promise<void> => {
      for (; done < changes; done++) await change(server, done);
    })();
    const request = 'GET / HTTP/1.1\r\nHost: web.test\r\nConnection: close\r\n\r\n';
    await times(connections, async (index) => {
      if (index % 4 === 3) {
        if (!(await new RawClient(server.httpPort).send(request).rest()).endsWith('web')) failed++;
        return;
      }
      const socket = connectTls({
        port: server.httpPort,
        host: '127.0.0.1',
        servername: 'tls.test',
        rejectUnauthorized: false,
      });
      let text = '';
      socket.on('data', (piece: Buffer) => (text += piece.toString()));
      socket.on('error', () => undefined);
      await once(socket, 'close');
      if (text !== 'secure') failed++;
    });
    await changing;
    expect(failed).to.equal(0);
    await server.stop();
    secure.close();
    web.close();
  });
});
