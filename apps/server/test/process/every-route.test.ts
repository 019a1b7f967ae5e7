/** Every route of the admin API asks who is there, whoever has added it. */
import { expect } from 'chai';
import { createToken } from '@sluice/admin-api';
import { startControl, WorkerReserve, type Control } from '../../src/index.ts';

/** The files of the page, which hold nothing of the server; and how someone who has a code opens a session. */
const open = new Set(['GET /ui', 'GET /ui/', 'GET /ui/{file}', 'POST /session']);

/** What a token may ask for that may nothing else: who it is, a session for itself, and its end. */
const own = new Set([...open, 'GET /session', 'DELETE /session', 'POST /session/code']);

describe('every route of the admin API', () => {
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

  it('is among those that are walked here', () => {
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
      'GET /fleet',
      'GET /metrics',
      'GET /events',
      'GET /logs/stream',
      'POST /certificates/{name}/renew',
    ]);
    expect(known.length).to.be.above(50);
  });

  it('responds with 401 without a token, and with one that is not known', async () => {
    for (const [method, path] of routes) {
      for (const token of [null, createToken().token]) {
        const status = await statusOf(method, path, token);
        expect([method, path, status === 401]).to.deep.equal([method, path, !open.has(`${method} ${path}`)]);
      }
    }
  });

  it('responds with 403 to a token that may do nothing', async () => {
    for (const [method, path] of routes) {
      const status = await statusOf(method, path, nothing.token);
      expect([method, path, status === 403]).to.deep.equal([method, path, !own.has(`${method} ${path}`)]);
    }
  });

  it('responds with 401 also where there is no route, so that none can be guessed', async () => {
    for (const path of ['/stats/', '/traces/r1', '/fleet/members', '/debug/pprof', '/none', '/config', '/id'])
      expect([path, await statusOf('GET', path, null)]).to.deep.equal([path, 401]);
  });
});
