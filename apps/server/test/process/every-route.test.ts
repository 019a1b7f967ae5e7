/** Checks that each admin API route authenticates clients, regardless of which package added the route. */
import { expect } from 'chai';
import { createToken } from '@sluice/admin-api';
import { startControl, WorkerReserve, type Control } from '../../src/index.ts';

/** Routes without authentication: the dashboard files, which contain no server data, and the creation of a session with a code. */
const open = new Set(['GET /ui', 'GET /ui/', 'GET /ui/{file}', 'POST /session']);

/** Routes that every token may request: the token's identity, its session, and logout. */
const own = new Set([...open, 'GET /session', 'DELETE /session', 'POST /session/code']);

describe('admin API authentication', () => {
  const all = createToken();
  const nothing = createToken();
  let control: Control;
  let routes: readonly (readonly [method: string, path: string])[];

  before(async () => {
    control = await startControl({
      workers: 0,
      reserve: new WorkerReserve(0),
      modules: [],
      store: null,
      sink: { enabled: () => false, write: () => undefined },
      logLevel: 'info',
      adminAddress: '127.0.0.1:0',
      onStop: () => expect.fail('the server was stopped by a request without a right'),
    });
    const tokens = [
      { name: 'all', hash: all.hash },
      { name: 'nothing', hash: nothing.hash, permissions: [] },
    ];
    const logging = { logs: { default: { writer: { output: 'discard' } } } };
    await control.reconciler.load({
      admin: { listen: '127.0.0.1:0', tokens },
      logging,
      apps: { http: { servers: {} } },
    });
    const description = await (await ask('GET', '/openapi.json', all.token)).json();
    const { paths } = description as { readonly paths: Readonly<Record<string, object>> };
    routes = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => [method.toUpperCase(), path] as const),
    );
  });
  after(() => control.stop());

  function ask(method: string, path: string, token: string | null): Promise<Response> {
    const origin = `http://${control.adminAddress() ?? ''}`;
    const filled = path.replaceAll('{path}', 'apps/http').replaceAll(/\{\w+\}/g, '1');
    return fetch(`${origin}${filled}`, {
      method,
      headers: { Origin: origin, ...(token === null ? {} : { Authorization: `Bearer ${token}` }) },
      ...(method === 'GET' ? {} : { body: '{}' }),
    });
  }

  async function statusOf(method: string, path: string, token: string | null): Promise<number> {
    const response = await ask(method, path, token);
    await response.body?.cancel();
    return response.status;
  }

  it('the authentication test covers every admin API route', () => {
    const known = routes.map(([method, path]) => `${method} ${path}`);
    expect(known).to.include.members([
      'POST /load',
      'POST /stop',
      'GET /config/',
      'PATCH /id/{id}',
      'GET /stats',
      'GET /stats/stream',
      'GET /traces',
      'POST /traces',
      'POST /explain',
      'POST /explain/plan',
      'POST /explain/tests',
      'GET /fleet',
      'GET /metrics',
      'GET /events',
      'GET /logs/stream',
      'POST /certificates/{name}/renew',
    ]);
    expect(known.length).to.be.above(50);
  });

  it('all admin API routes respond with 401 if the token is missing or unknown', async () => {
    for (const [method, path] of routes) {
      for (const token of [null, createToken().token]) {
        const status = await statusOf(method, path, token);
        expect([method, path, status === 401]).to.deep.equal([method, path, !open.has(`${method} ${path}`)]);
      }
    }
  });

  it('every admin API route responds with 403 to a token without permissions', async () => {
    for (const [method, path] of routes) {
      const status = await statusOf(method, path, nothing.token);
      expect([method, path, status === 403]).to.deep.equal([method, path, !own.has(`${method} ${path}`)]);
    }
  });

  it('unknown admin API routes also respond with 401, so that routes cannot be enumerated', async () => {
    for (const path of ['/stats/', '/traces/r1', '/fleet/members', '/debug/pprof', '/none', '/config', '/id'])
      expect([path, await statusOf('GET', path, null)]).to.deep.equal([path, 401]);
  });
});
