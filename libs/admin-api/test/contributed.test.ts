import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { SluiceError } from '@sluice/base';
import type { AdminRoute } from '@sluice/registry';
import { startServer, type TestServer } from './admin.ts';

describe('admin-api: contributed routes', () => {
  let server: TestServer;
  let produced = 0;
  const released: string[] = [];

  async function* endless(signal: AbortSignal): AsyncGenerator<string> {
    try {
      while (!signal.aborted) {
        produced++;
        yield 'x'.repeat(64 * 1024);
      }
    } finally {
      released.push(signal.aborted ? 'aborted' : 'returned');
    }
  }

  /** How a stream ended, once it has. */
  async function release(): Promise<string | undefined> {
    for (let i = 0; i < 200 && released.length === 0; i++) await sleep(5);
    return released.shift();
  }

  async function* broken(): AsyncGenerator<string> {
    yield 'begun';
    await sleep(5);
    throw new Error('in the middle');
  }

  async function* quiet(signal: AbortSignal): AsyncGenerator<string> {
    yield 'hello\n';
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    released.push('quiet');
  }

  const routes: AdminRoute[] = [
    {
      method: 'GET',
      path: '/things/:id',
      handle: ({ params, query, header }) => ({
        json: { id: params.id, q: query.get('q'), accept: header('Accept') ?? null },
      }),
    },
    { method: 'DELETE', path: '/things/:id', handle: () => ({ status: 204 }) },
    {
      method: 'POST',
      path: '/echo',
      handle: async (call) => ({ status: 201, headers: { 'Content-Type': 'text/x' }, body: await call.body() }),
    },
    {
      method: 'GET',
      path: '/refused',
      handle: () => Promise.reject(new SluiceError('ERR_X', 'no such <thing>', { status: 404 })),
    },
    { method: 'GET', path: '/bug', handle: () => (undefined as unknown as { never: () => never }).never() },
    { method: 'GET', path: '/document', handle: (_call, engine) => ({ json: engine.document }) },
    {
      method: 'GET',
      path: '/endless',
      handle: ({ signal }) => ({ headers: { 'Content-Type': 'text/plain' }, body: endless(signal) }),
    },
    { method: 'GET', path: '/broken', handle: () => ({ body: broken() }) },
    { method: 'GET', path: '/quiet', handle: ({ signal }) => ({ body: quiet(signal) }) },
    { method: 'GET', path: '/tree/', handle: () => ({ status: 404, json: { error: 'say which' } }) },
  ];

  before(async () => {
    server = await startServer({
      bodyLimit: 1000,
      document: { apps: {} },
      prepare: (registry) =>
        registry.hooks.adminRoutes.tap('test', (list) => routes.forEach((route) => list.add(route))),
    });
  });
  after(() => server.close());

  it('gives params, query and headers, and answers JSON', async () => {
    const answer = await server.ask('/things/a%2Fb%20c?q=1&x', { headers: { accept: 'a/b' } });
    expect(answer.json).to.deep.equal({ id: 'a/b c', q: '1', accept: 'a/b' });
    expect(answer.headers['content-type']).to.equal('application/json');
  });

  it('gives the body, within the bound, and the engine', async () => {
    const answer = await server.ask('/echo', { method: 'POST', body: 'text' });
    expect([answer.status, answer.text, answer.headers['content-type']]).to.deep.equal([201, 'text', 'text/x']);
    expect((await server.ask('/echo', { method: 'POST', body: 'x'.repeat(2000) })).status).to.equal(413);
    expect((await server.ask('/document')).json).to.deep.equal({ apps: {} });
    expect((await server.ask('/things/x', { method: 'DELETE' })).status).to.equal(204);
  });

  const refusals: [method: string, path: string, status: number][] = [
    ['POST', '/things/x', 405],
    ['HEAD', '/things/x', 405],
    ['OPTIONS', '/things/x', 405],
    ['GET', '/echo', 405],
    ['GET', '/things/', 404],
    ['GET', '/things', 404],
    ['GET', '/things/x/', 404],
    ['GET', '/things/x/y', 404],
    ['GET', '/Things/x', 404],
    ['GET', '/things/%ff', 400],
    ['GET', '/tree/', 404],
    ['GET', '/tree/a/b', 404],
    ['POST', '/tree/a/b', 405],
    ['GET', '/tree', 307],
    ['GET', '/treetop', 404],
    ['GET', '/refused', 404],
    ['GET', '/bug', 500],
  ];
  for (const [method, path, status] of refusals) {
    it(`answers ${status} for ${method} ${path}`, async () => {
      const answer = await server.ask(path, { method });
      expect(answer.status).to.equal(status);
      expect(answer.headers).to.not.have.property('allow');
      if ((status !== 404 && status !== 307 && method !== 'HEAD') || path.startsWith('/tree/'))
        expect(answer.json).to.have.all.keys('error');
    });
  }

  it('logs the stack of a mistake', async () => {
    await server.ask('/bug');
    expect(server.entries.findLast(({ level }) => level === 'error')?.fields.stack).to.contain('contributed.test.ts');
  });

  it('streams no faster than the client reads, and stops when it goes away', async () => {
    const client = request({ host: '127.0.0.1', port: server.port, path: '/endless', agent: false }).end();
    const response = await new Promise<NodeJS.ReadableStream>((resolve) => client.on('response', resolve));
    response.pause();
    await sleep(150);
    const before = produced;
    await sleep(100);
    expect(produced).to.equal(before);
    client.destroy();
    expect(await release()).to.equal('aborted');
  });

  it('sends the first piece at once, and releases a stream that waits', async () => {
    const client = request({ host: '127.0.0.1', port: server.port, path: '/quiet', agent: false }).end();
    const response = await new Promise<NodeJS.ReadableStream>((resolve) => client.on('response', resolve));
    const first = await new Promise((resolve) => response.once('data', resolve));
    expect(String(first)).to.equal('hello\n');
    client.destroy();
    expect(await release()).to.equal('quiet');
  });

  it('cuts the connection when a stream fails in the middle', async () => {
    const error = await server.ask('/broken').catch((it: unknown) => it);
    expect(error).to.be.an('error');
    expect((await server.ask('/document')).status).to.equal(200);
  });

  it('refuses two routes of one method and path', async () => {
    const route = routes[0] as AdminRoute;
    const error = await startServer({
      prepare: (registry) =>
        registry.hooks.adminRoutes.tap('test', (list) => [route, route].forEach((it) => list.add(it))),
    }).catch((it: unknown) => it);
    expect(error).to.have.property('message').that.contains('GET /things/:id');
  });
});
