import { expect } from 'chai';
import { request as send, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, serve, throwAwayCertificate, withRoutes, type TestServer } from '@sluice/testing';

const a = { match: [{ path: ['/a'] }], handle: [{ handler: 'static_response', body: 'a' }] };
const b = { match: [{ path: ['/b'] }], handle: [{ handler: 'static_response', status_code: 404 }] };

interface Rehearsed {
  readonly requests?: { readonly compared: number; readonly count: number; readonly elsewhere: readonly Elsewhere[] };
}

interface Elsewhere {
  readonly request: { readonly method: string; readonly url: string };
  readonly before: { readonly route: string | null; readonly status: number };
  readonly after: { readonly route: string | null; readonly status: number };
  readonly what: readonly string[];
}

describe('dry run and recorded requests', () => {
  let server: TestServer;

  beforeEach(async () => {
    server = await serve(withRoutes([a]), { register: [], standard: true });
  });
  afterEach(() => server.close());

  const tryRoutes = async (routes: object[]): Promise<Rehearsed> => {
    const response = await server.admin('/config/apps/http/servers/s/routes?dry_run', {
      method: 'PATCH',
      json: routes,
    });
    expect(response.status).to.equal(200);
    return response.json() as Rehearsed;
  };

  it('a dry run lists recently recorded requests that would be handled differently', async () => {
    await server.admin('/traces', { json: { count: 10 } });
    for (const path of ['/a', '/b', '/c?token=secret-of-a-client']) await server.request(path);
    const { requests } = await tryRoutes([b, a]);
    expect(requests).to.deep.include({ compared: 3, unknown: 0, count: 1 });
    const [moved] = requests?.elsewhere ?? [];
    expect(moved?.request.url).to.match(/^http:\/\/[^/]+\/b$/);
    expect(moved?.before).to.deep.include({ status: 200, route: null });
    expect(moved?.after).to.deep.include({ status: 404, route: 'apps.http.servers.s.routes[0]' });
    expect(moved?.what).to.deep.equal(['route', 'status']);
    expect((await server.request('/b')).status).to.equal(200);
    const { requests: same } = await tryRoutes([a, { ...a, terminal: true }]);
    // The two requests for /b are identical and are compared only once.
    expect(same).to.deep.equal({ compared: 3, unknown: 0, count: 0, elsewhere: [] });
  });

  it('a dry run lists at most twenty requests, and states the total number', async () => {
    await server.admin('/traces', { json: { count: 100 } });
    for (let i = 0; i < 30; i++) await server.request(`/b?${i}`);
    const { requests } = await tryRoutes([b, a]);
    expect(requests?.compared).to.be.greaterThan(0).and.at.most(30);
    expect(requests?.count).to.equal(requests?.compared);
    expect(requests?.elsewhere).to.have.length(Math.min(20, requests?.compared ?? 0));
  });

  it('a dry run takes the redirects and servers of automatic HTTPS into account', async () => {
    const storage = mkdtempSync(join(tmpdir(), 'dry-run-'));
    const [httpPort, httpsPort] = [await freePort(), await freePort()];
    const { cert: certificate, key } = await throwAwayCertificate(['a.example']);
    const configOf = (servers: object, certificates: object): object => ({
      logging: { logs: { default: { writer: { output: 'discard' } } } },
      storage: { module: 'file_system', root: storage },
      apps: {
        pki: { certificate_authorities: { local: { install_trust: false } } },
        tls: { automation: { policies: [{ issuers: [{ module: 'internal' }] }] }, certificates },
        http: { http_port: httpPort, https_port: httpsPort, servers },
      },
    });
    const site = (more: object): object => ({
      listen: [`127.0.0.1:${httpsPort}`],
      routes: [{ match: [{ host: ['a.example'] }], handle: [{ handler: 'static_response', body: 'a' }] }],
      ...more,
    });
    const load = (query: string, servers: object, certificates: object = {}) =>
      server.admin(`/load${query}`, { json: configOf(servers, certificates) });
    const elsewhere = async (servers: object, certificates: object = {}): Promise<unknown> => {
      const { requests } = (await load('?dry_run', servers, certificates)).json() as Rehearsed;
      return [requests?.compared, requests?.elsewhere.map(({ before, after }) => [before.status, after.status])];
    };
    try {
      expect((await load('', { site: site({}) })).status).to.equal(200);
      await server.admin('/traces', { json: { count: 10 } });
      const asked = send({ host: '127.0.0.1', port: httpPort, headers: { host: 'a.example' }, agent: false }).end();
      const [response] = (await once(asked, 'response')) as [IncomingMessage];
      response.resume();
      expect(response.statusCode).to.equal(308);
      // The request is still redirected, either by the automatic HTTPS server or by a server with routes.
      expect(await elsewhere({ site: site({ protocols: ['h1'] }) })).to.deep.equal([1, []]);
      const plain = { listen: [`127.0.0.1:${httpPort}`], routes: [{ handle: [{ handler: 'static_response' }] }] };
      expect(await elsewhere({ site: site({}), plain })).to.deep.equal([1, []]);
      const unredirected = site({ automatic_https: { disable_redirects: true } });
      expect(await elsewhere({ site: unredirected, plain })).to.deep.equal([1, [[308, 200]]]);
      // If the change also loads a certificate for the host, the host's redirect must not precede other routes.
      const loads = { load_pem: [{ certificate, key }] };
      expect(await elsewhere({ site: site({}), plain }, loads)).to.deep.equal([1, [[308, 200]]]);
      // After the change, no server listens on the port.
      expect(await elsewhere({ site: unredirected })).to.deep.equal([1, [[308, 0]]]);
    } finally {
      await load('', {});
      rmSync(storage, { recursive: true });
    }
  });

  it('a dry run omits requests if none were recorded', async () => {
    expect(await tryRoutes([b, a])).to.not.have.property('requests');
  });
});
