import { createToken } from '@sluice/admin-api';
import { expect } from 'chai';
import { calls, optional, type Route } from '../src/page/api/calls.ts';
import { startServer, type DashboardServer } from './support/server.ts';
import { shop } from './support/shop.ts';

/** Sample values for each placeholder in the API paths. */
const values = {
  path: ['apps', 'http'],
  revision: 1,
  address: '127.0.0.1:9',
  id: 'local',
  name: 'example.com',
  zone: 'per_client',
  key: '192.0.2.7',
};

/** Routes that do not require a permission. */
const open = new Set(['GET /session', 'POST /session', 'DELETE /session']);

/** Routes that are not tested, because they end the process or respond late. */
const left = new Set([
  'POST /stop',
  'POST /upgrade',
  'GET /events',
  'GET /stats/stream',
  'GET /logs/stream',
  'GET /traces',
  'GET /debug/pprof/profile',
  'GET /debug/pprof/heap',
]);

const table = Object.entries<Route>(calls).map(([name, route]) => ({
  name,
  route,
  key: `${route.method} ${route.template}`,
}));

describe('dashboard.api.calls', () => {
  let server: DashboardServer;
  const tokens = table.map(({ name, route }) => {
    const { token, hash } = createToken();
    const { path, method } = route(values);
    const permission = { methods: [method], paths: [path.replace(/\/$/, '') || '/'] };
    // Proposal calls require permission to read the configuration, because proposals contain parts of it.
    const reads = ['propose', 'proposals', 'proposal', 'report', 'withdraw'];
    const reading = reads.includes(name) ? [{ methods: ['GET'], paths: ['/config'] }] : [];
    return { token, entry: { name, hash, permissions: [permission, ...reading] } };
  });
  const nothing = createToken();
  const all = createToken();

  before(async () => {
    const entries = [
      { name: 'nothing at all', hash: nothing.hash, permissions: [] },
      { name: 'everything', hash: all.hash },
      ...tokens.map(({ entry }) => entry),
    ];
    server = await startServer({ ...(shop as object), admin: { listen: '127.0.0.1:0', tokens: entries } });
  });
  after(() => server.close());

  /** Sends a request with a token and a body that every route rejects. Returns the response status. */
  async function statusFor(route: Route, token: string | null): Promise<number> {
    const { method, path } = route(values);
    const response = await fetch(`${server.origin}${path}`, {
      method,
      headers: { Origin: server.origin, ...(token === null ? {} : { Authorization: `Bearer ${token}` }) },
      ...(method === 'GET' ? {} : { body: 'not what is wanted' }),
    });
    await response.body?.cancel();
    return response.status;
  }

  it('every API call of the dashboard is documented in GET /openapi.json', async () => {
    const headers = { Origin: server.origin, Authorization: `Bearer ${all.token}` };
    const { paths } = (await (await fetch(`${server.origin}/openapi.json`, { headers })).json()) as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    };
    const documented = new Set(
      Object.entries(paths).flatMap(([path, item]) =>
        Object.keys(item).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{}')}`),
      ),
    );
    const missing = table.filter(
      ({ key, route }) => !documented.has(key.replaceAll(/\{\w+\}/g, '{}')) && !optional.has(route.template),
    );
    expect(missing.map(({ key }) => key)).to.deep.equal([]);
    expect(table.length).to.be.above(25);
  });

  // Attack in docs/security.md: Every dashboard API call, without a token and with a token for a different scope.
  it('every API call of the dashboard is rejected without a token, except opening a session', async () => {
    for (const { route, key } of table) {
      const status = await statusFor(route, null);
      expect([key, status === 401]).to.deep.equal([key, key !== 'POST /session']);
    }
  });

  // Attack in docs/security.md: Every dashboard API call, without a token and with a token for a different scope.
  it('every API call of the dashboard is rejected if the token lacks permission', async () => {
    for (const { route, key } of table) {
      if (open.has(key)) continue;
      const status = await statusFor(route, nothing.token);
      expect([key, status]).to.deep.equal([key, 403]);
    }
  });

  it('every API call of the dashboard is allowed with the minimum permission', async () => {
    for (const [index, { route, key }] of table.entries()) {
      if (left.has(key) || open.has(key)) continue;
      const status = await statusFor(route, tokens[index]?.token ?? '');
      expect([key, [401, 403].includes(status)]).to.deep.equal([key, false]);
    }
  });
});
