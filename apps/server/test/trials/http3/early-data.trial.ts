import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { nativeProblem } from '@sluice/native';
import { signedCertificate } from '@sluice/testing';
import { Sandbox } from '../../support/sandbox.ts';
import { secureConfig, TestServer } from '../../support/server.ts';
import { QuicGo } from '../../http3/quic-go.ts';

const facts = '{http.request.method} {http.request.tls.resumed} {http.request.tls.early_data}';

describe('HTTP/3 with early data', function () {
  this.timeout(180_000);
  let client: QuicGo;
  let sandbox: Sandbox;
  let server: TestServer;
  let upstream: Server;
  /** Methods and Early-Data fields of the requests received by the upstream. */
  let proxied: string[] = [];

  before(async function () {
    if (nativeProblem() !== null) this.skip();
    const built = await QuicGo.build();
    if (built === null) this.skip();
    client = built;
    sandbox = new Sandbox();
    upstream = createServer((request, response) => {
      proxied.push(`${request.method} ${String(request.headers['early-data'] ?? '-')}`);
      response.statusCode = request.url === '/proxied/425' && request.headers['early-data'] === '1' ? 425 : 200;
      response.end('from the upstream');
    }).listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    const dial = `127.0.0.1:${(upstream.address() as AddressInfo).port}`;
    const { cert, key } = await signedCertificate(['localhost', 'other.test']);
    server = await TestServer.runWith(
      sandbox,
      (admin, http) =>
        secureConfig(
          admin,
          http,
          [
            {
              match: [{ path: ['/refused'], tls: { handshake_complete: false } }],
              handle: [{ handler: 'static_response', status_code: '425' }],
            },
            { match: [{ path: ['/proxied*'] }], handle: [{ handler: 'reverse_proxy', upstreams: [{ dial }] }] },
            { handle: [{ handler: 'static_response', body: facts }] },
          ],
          { cert, key, protocols: ['h1', 'h2', 'h3'], allow_0rtt: true },
        ),
      ['--workers', '2'],
    );
  });

  beforeEach(() => {
    proxied = [];
  });

  after(async () => {
    await sandbox?.remove();
    await client?.remove();
    upstream?.close();
  });

  const url = (path: string): string => `https://127.0.0.1:${server.httpPort}${path}`;

  it('a GET request in HTTP/3 early data is processed before the handshake is complete', async () => {
    const seen = await client.play(url('/facts'), { case: 'early' });
    expect(seen).to.include({ status: 200, body: 'GET true true', early: true });
    expect(seen.resumed).to.deep.equal([false, true]);
  });

  it('a POST request in HTTP/3 early data is processed only after the handshake', async () => {
    const seen = await client.play(url('/facts'), { case: 'early', method: 'POST' });
    expect(seen).to.include({ status: 200, body: 'POST true false', early: true });
  });

  it('reverse_proxy adds Early-Data to requests from early data, and forwards a 425 response', async () => {
    expect(await client.play(url('/proxied'), { case: 'early' })).to.include({ status: 200, early: true });
    expect(proxied).to.deep.equal(['GET -', 'GET 1']);
    expect(await client.play(url('/proxied/425'), { case: 'early' })).to.include({ status: 425, early: true });
  });

  it('routes can reject HTTP/3 early data with 425', async () => {
    expect(await client.play(url('/refused'), { case: 'early' })).to.include({ status: 425, early: true });
  });

  it('replayed HTTP/3 early data is not processed, regardless of which worker receives it', async () => {
    const seen = await client.play(url('/proxied'), { case: 'early', count: 40 });
    expect(seen).to.include({ status: 200, early: true });
    expect(seen.done).to.be.at.least(39);
    await sleep(500);
    expect(proxied).to.deep.equal(['GET -', 'GET 1']);
  });
});
