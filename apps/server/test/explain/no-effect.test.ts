import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { serve, type TestServer } from '@sluice/testing';

const filesIn = (traces: object): unknown => (traces as { readonly files?: unknown }).files;

describe('POST /explain without side effects', () => {
  let folder: string;
  let upstream: Server;
  let connections = 0;
  let server: TestServer;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'explain-'));
    upstream = createServer((_, response) => void response.end());
    upstream.on('connection', () => connections++);
    upstream.listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    const dial = `127.0.0.1:${(upstream.address() as AddressInfo).port}`;
    const routes = [
      { match: [{ path: ['/proxied/*'] }], handle: [{ handler: 'reverse_proxy', upstreams: [{ dial }] }] },
      { match: [{ path: ['/files/*'] }], handle: [{ handler: 'file_server', root: folder }] },
      { match: [{ path: ['/error'] }], handle: [{ handler: 'error', status_code: 503 }] },
      {
        handle: [
          { handler: 'encode', encodings: { gzip: {} } },
          { handler: 'static_response', body: 'well' },
        ],
      },
    ];
    const writer = { output: 'file', filename: join(folder, 'access.log') };
    server = await serve(
      {
        logging: {
          logs: { default: { writer: { output: 'discard' } }, access: { writer, include: ['http.log.access'] } },
        },
        apps: { http: { metrics: {}, servers: { s: { routes, logs: {} } } } },
      },
      { register: [], standard: true },
    );
  });

  after(async () => {
    await server.close();
    upstream.closeAllConnections();
    upstream.close();
    rmSync(folder, { recursive: true });
  });

  const paths = ['/', '/error', '/proxied/x', '/files/access.log', '/files/none'];

  /** Collects observable effects of requests: connections, log entries, and counters of servers, routes and upstreams. */
  async function traces(): Promise<object> {
    const counters = (await server.admin('/metrics')).text.split('\n').filter((line) => line.startsWith('caddy_http_'));
    const stats = (await server.admin('/stats')).json() as { readonly servers?: unknown; readonly routes?: unknown };
    const upstreams = (await server.admin('/reverse_proxy/upstreams?detail')).json();
    const files = readdirSync(folder).map((name) => [name, statSync(join(folder, name)).size]);
    return { connections, counters, servers: stats.servers, routes: stats.routes, upstreams, files };
  }

  it('POST /explain opens no upstream connections, and leaves counters and files unchanged', async () => {
    const before = await traces();
    for (const path of paths)
      for (const responses of [[], [{ status: 200 }], [{ error: 'refused' }]]) {
        const asked = { url: `http://a.example${path}`, client: '192.0.2.1', server: 's', responses };
        expect((await server.admin('/explain', { json: asked })).status).to.equal(200);
      }
    expect(await traces()).to.deep.equal(before);

    // Verifies that real requests have observable effects.
    for (const path of paths) await server.request({ path });
    let after = await traces();
    // The server writes the log file with a delay.
    for (let tries = 0; tries < 100 && isDeepStrictEqual(filesIn(after), filesIn(before)); tries++) {
      await setTimeout(10);
      after = await traces();
    }
    for (const key of ['connections', 'counters', 'servers', 'files'])
      expect((after as Record<string, unknown>)[key], key).to.not.deep.equal((before as Record<string, unknown>)[key]);
  });
});
