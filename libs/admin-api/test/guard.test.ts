import { expect } from 'chai';
import { Guard, openAccess, parseAdminAddress, type GuardedRequest, type GuardSettings } from '@sluice/admin-api';
import { startServer, type TestServer } from './admin.ts';

const port = 2019;
const own = `127.0.0.1:${port}`;

type Case = [
  listen: string,
  settings: Partial<GuardSettings>,
  request: Partial<GuardedRequest>,
  status: number,
  allowOrigin?: string | null,
];

const strict = { enforceOrigin: true };
const listed = { origins: ['good.example', 'http://b.example:80/x', 'https://c', '[::2]:1'] };

const cases: Case[] = [
  // Cases where the host is a loopback address.
  ['localhost:2019', {}, { host: 'localhost:2019' }, 0, null],
  ['localhost:2019', {}, { host: 'LOCALHOST:2019' }, 0, null],
  ['localhost:2019', {}, { host: '[::1]:2019' }, 0, null],
  ['localhost:2019', {}, { host: own }, 0, null],
  ['localhost:2019', {}, { host: 'localhost' }, 403],
  ['localhost:2019', {}, { host: 'localhost:2020' }, 403],
  ['localhost:2019', {}, { host: '' }, 403],
  ['localhost:2019', {}, { host: 'evil.example:2019' }, 403],
  ['127.0.0.5:2019', {}, { host: '127.0.0.5:2019' }, 0, null],
  ['127.0.0.5:2019', {}, { host: 'localhost:2019' }, 0, null],
  ['[::1]:2019', {}, { host: '127.0.0.1:2019' }, 0, null],
  ['[0:0:0:0:0:0:0:1]:2019', {}, { host: '[::1]:2019' }, 0, null],
  ['[0:0:0:0:0:0:0:1]:2019', {}, { host: 'localhost:2019' }, 0, null],
  // Other machines.
  ['[2001:DB8:0:0::1]:2019', {}, { host: '[2001:db8::1]:2019' }, 0, null],
  ['[0:0:0:0:0:0:0:0]:2019', {}, { host: 'whatever' }, 0, null],
  [':2019', {}, { host: 'whatever' }, 0, null],
  ['0.0.0.0:2019', {}, { host: '' }, 0, null],
  ['unix//run/x.sock', {}, { host: '' }, 0, null],
  ['10.1.2.3:2019', {}, { host: '10.1.2.3:2019' }, 0, null],
  ['10.1.2.3:2019', {}, { host: 'localhost:2019' }, 403],
  ['name.example:2019', {}, { host: 'name.example:2019' }, 0, null],
  // Cases with the `Origin` header that browsers send.
  ['localhost:2019', {}, { origin: `http://${own}` }, 0, `http://${own}`],
  ['localhost:2019', {}, { origin: 'https://localhost:2019/path?query' }, 0, 'https://localhost:2019'],
  ['localhost:2019', {}, { origin: 'http://user@localhost:2019' }, 0, 'http://user@localhost:2019'],
  ['localhost:2019', {}, { origin: '//localhost:2019' }, 0, '//localhost:2019'],
  ['localhost:2019', {}, { origin: 'HTTP://LOCALHOST:2019' }, 0, 'http://LOCALHOST:2019'],
  ['localhost:2019', {}, { origin: 'http://localhost' }, 403],
  ['localhost:2019', {}, { origin: 'http://evil.example' }, 403],
  ['localhost:2019', {}, { origin: 'localhost:2019' }, 403],
  ['localhost:2019', {}, { origin: '' }, 403],
  ['localhost:2019', {}, { origin: 'null' }, 400],
  ['localhost:2019', {}, { origin: 'null', host: 'evil.example' }, 400],
  ['localhost:2019', {}, { origin: '', referer: `http://${own}/page` }, 0, `http://${own}`],
  ['localhost:2019', {}, { referer: 'http://evil.example/' }, 0, null],
  ['localhost:2019', {}, { fetchMode: 'cors' }, 403],
  ['localhost:2019', {}, { fetchMode: '' }, 403],
  ['localhost:2019', {}, { fetchMode: 'navigate', referer: `http://${own}/` }, 0, `http://${own}`],
  ['localhost:2019', {}, { fetchMode: 'no-cors' }, 400],
  ['localhost:2019', {}, { fetchMode: 'no-cors', host: 'evil.example' }, 400],
  // A page of the admin endpoint sends no Origin in same-origin requests. Only a browser can set the Sec-Fetch headers.
  ['localhost:2019', {}, { fetchMode: 'cors', fetchSite: 'same-origin' }, 0, null],
  ['localhost:2019', {}, { fetchMode: 'cors', fetchSite: 'same-site' }, 403],
  ['localhost:2019', {}, { fetchMode: 'cors', fetchSite: 'cross-site' }, 403],
  ['localhost:2019', {}, { fetchMode: 'navigate', fetchSite: 'none' }, 403],
  ['localhost:2019', {}, { fetchMode: 'cors', fetchSite: 'same-origin', origin: 'http://evil.example' }, 403],
  ['localhost:2019', {}, { fetchMode: 'cors', fetchSite: 'same-origin', host: 'evil.example' }, 403],
  ['localhost:2019', strict, { fetchMode: 'cors', fetchSite: 'same-origin' }, 0, null],
  // If every host is allowed, an attacker's host name may resolve to this address. Only names that are listed identify this endpoint.
  [':2019', {}, { fetchMode: 'cors', fetchSite: 'same-origin', host: 'evil.example:2019' }, 403],
  [':2019', listed, { fetchMode: 'cors', fetchSite: 'same-origin', host: 'good.example' }, 0, null],
  // Clients with certificates use names that TLS has verified.
  [
    ':2021',
    { anyHost: true, origins: [] },
    { fetchMode: 'cors', fetchSite: 'same-origin', host: 'a.example' },
    0,
    null,
  ],
  [':2021', { anyHost: true, origins: [] }, { host: 'a.example', origin: 'https://a.example' }, 0, 'https://a.example'],
  [':2021', { anyHost: true, origins: [] }, { host: 'a.example', origin: 'https://evil.example' }, 403],
  // If the host is correct, links on any site may open dashboard files.
  ['localhost:2019', {}, { fetchMode: 'navigate', fetchSite: 'cross-site', isPage: true }, 0, null],
  ['localhost:2019', {}, { fetchMode: 'no-cors', fetchSite: 'same-origin', isPage: true }, 0, null],
  ['localhost:2019', {}, { fetchMode: 'navigate', host: 'evil.example', isPage: true }, 403],
  [':2019', {}, { origin: 'http://localhost:2019' }, 403],
  ['unix//run/x.sock', {}, { origin: 'http://localhost' }, 403],
  // With `enforceOrigin`, the origin is checked for all clients.
  ['localhost:2019', strict, {}, 403],
  ['localhost:2019', strict, { origin: `http://${own}` }, 0, `http://${own}`],
  ['localhost:2019', strict, { referer: `http://${own}/x` }, 0, `http://${own}`],
  ['localhost:2019', strict, { host: 'evil.example', origin: `http://${own}` }, 403],
  // Listed origins.
  ['localhost:2019', listed, { host: own }, 403],
  ['localhost:2019', listed, { host: 'Good.Example' }, 0, null],
  ['localhost:2019', listed, { host: 'good.example:80' }, 403],
  ['localhost:2019', listed, { host: 'b.example:80' }, 0, null],
  ['localhost:2019', listed, { host: 'b.example' }, 403],
  ['localhost:2019', listed, { host: '[::2]:1' }, 0, null],
  ['localhost:2019', listed, { host: 'c', origin: 'https://c' }, 0, 'https://c'],
  ['localhost:2019', listed, { host: 'c', origin: 'http://c' }, 403],
  ['localhost:2019', listed, { host: 'c', origin: 'http://good.example' }, 0, 'http://good.example'],
  ['localhost:2019', listed, { host: 'c', origin: 'http://good.example:9' }, 403],
  [':2019', listed, { host: 'any', origin: 'http://b.example:80' }, 0, 'http://b.example:80'],
  ['localhost:2019', { origins: [] }, { host: own }, 403],
];

describe('admin-api.endpoint.address', () => {
  for (const text of ['{env.SLUICE_TEST_UNSET}:2019', '{nope}:2019', '{env.SLUICE_TEST_UNSET}', '']) {
    it(`parseAdminAddress rejects ${JSON.stringify(text)}, which could be mistaken for another address`, () => {
      expect(() => parseAdminAddress(text)).to.throw(/placeholder|is not an address/);
    });
  }
});

describe('admin-api.endpoint.guard', () => {
  for (const [listen, settings, request, status, allowOrigin] of cases) {
    it(`the origin guard ${status === 0 ? 'accepts' : `responds with ${status} to`} ${JSON.stringify(request)} at ${listen}, ${JSON.stringify(settings)}`, () => {
      const guard = new Guard(
        {
          enforceOrigin: false,
          origins: null,
          access: openAccess,
          anyHost: false,
          externalReads: 'unrestricted',
          ui: true,
          ...settings,
        },
        parseAdminAddress(listen),
        port,
      );
      const verdict = guard.check({
        host: own,
        origin: undefined,
        referer: undefined,
        fetchMode: undefined,
        ...request,
      });
      expect(verdict.status).to.equal(status);
      if (verdict.status === 0) expect(verdict.allowOrigin).to.equal(allowOrigin);
      else expect(verdict.message).to.not.equal('');
    });
  }

  describe('admin-api.endpoint.guard over HTTP', () => {
    let server: TestServer;
    before(async () => {
      server = await startServer({ document: {} });
    });
    after(() => server.close());

    it('the origin guard runs before routing, for every path', async () => {
      for (const path of ['/', '/config', '/nope', '/load']) {
        const response = await server.ask(path, { headers: { Host: 'evil.example' } });
        expect(response.status).to.equal(403);
        expect(response.json).to.have.property('error').that.contains('host not allowed');
      }
    });

    it('the origin guard prevents pages from other origins from reading responses, and allows listed origins to read them', async () => {
      const origin = `http://localhost:${server.port}`;
      expect(
        (await server.ask('/config/', { headers: { Origin: 'http://evil.example' } })).headers,
      ).to.not.have.property('access-control-allow-origin');
      for (const path of ['/config/', '/nope', '/config/x/y', '/config']) {
        expect(
          (await server.ask(path, { headers: { Origin: origin } })).headers['access-control-allow-origin'],
        ).to.equal(origin);
      }
      const asked = await server.ask('/config/', { method: 'OPTIONS', headers: { Origin: origin } });
      expect(asked.status).to.equal(405);
      expect(asked.headers).to.include({
        'access-control-allow-methods': 'OPTIONS, GET, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers': 'Content-Type, Content-Length, Cache-Control',
        'access-control-allow-credentials': 'true',
      });
    });

    it('the origin guard uses the host of an absolute request target', async () => {
      expect(
        (await server.ask(`http://localhost:${server.port}/config/`, { headers: { Host: 'evil.example' } })).status,
      ).to.equal(200);
      expect((await server.ask('http://evil.example/config/')).status).to.equal(403);
    });

    it('the origin guard follows configuration changes', async () => {
      const headers = { Host: 'good.example', Origin: 'http://good.example' };
      await server.reconciler.load({ admin: { enforce_origin: true, origins: ['http://good.example'] } });
      expect((await server.ask('/config/')).status).to.equal(403);
      expect((await server.ask('/config/', { headers })).status).to.equal(200);
      expect((await server.ask('/config/admin', { method: 'DELETE', headers })).status).to.equal(200);
      expect((await server.ask('/config/', { headers })).status).to.equal(403);
      expect((await server.ask('/config/')).status).to.equal(200);
    });
  });
});
