import { request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import express from 'express';
import createRouter from 'router';
import { SluiceError } from '@sluice/base';
import type { AdminRoutes } from '@sluice/registry';
import { startServer, type TestServer } from './admin.ts';

/** The subset of methods of an Express router that the test uses. */
type Router = Record<'use' | 'all' | 'head' | 'get' | 'param', (...values: readonly unknown[]) => unknown>;

describe('admin-api: contributed routes', () => {
  let server: TestServer;
  let produced = 0;
  const released: string[] = [];

  async function* endless(): AsyncGenerator<string> {
    try {
      for (;;) {
        produced++;
        yield 'x'.repeat(64 * 1024);
      }
    } finally {
      released.push('returned');
    }
  }

  /** Waits until a stream ends, and returns its result. */
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

  function contribute({ router, raw, server: running }: AdminRoutes): void {
    router.get('/things/:id', (call, response) =>
      response.json({ id: call.params.id, q: call.query['q'], accept: call.get('Accept') ?? null }),
    );
    router.delete('/things/:id', (_call, response) => response.status(204).end());
    router.post('/echo', raw, (call, response) =>
      response.status(201).setHeader('Content-Type', 'text/x').end(call.body),
    );
    router.get('/refused', () => Promise.reject(new SluiceError('ERR_X', 'no such <thing>', { status: 404 })));
    router.get('/next', (_call, _response, next) => next(new SluiceError('ERR_X', 'not here', { status: 410 })));
    router.get('/bug', () => (undefined as unknown as { never: () => never }).never());
    router.get('/document', (_call, response) => response.json(running.document));
    router.get('/typed', (_call, response) => response.type('application/x+json').status(202).json(['<>', null]));
    router.get('/endless', (_call, response) => pipeline(Readable.from(endless()), response));
    router.get('/broken', (_call, response) => pipeline(Readable.from(broken()), response));
    router.get('/quiet', async (_call, response) => {
      const gone = new AbortController();
      response.once('close', () => gone.abort());
      for await (const text of quiet(gone.signal)) response.write(text);
    });
    router.get('/tree/known', (_call, response) => response.json('known'));
    router.get('/tree/{*rest}', ({ params: { rest = [] } }, response) =>
      response.status(404).json({ error: 'say which', rest }),
    );
  }

  before(async () => {
    server = await startServer({
      bodyLimit: 1000,
      document: { apps: {} },
      prepare: (registry) => registry.hooks.adminRoutes.tap('test', contribute),
    });
  });
  after(() => server.close());

  it('a contributed route receives params, query and headers, and responds with JSON', async () => {
    const response = await server.ask('/things/a%2Fb%20c?q=1&x', { headers: { accept: 'a/b' } });
    expect(response.json).to.deep.equal({ id: 'a/b c', q: '1', accept: 'a/b' });
    expect(response.headers['content-type']).to.equal('application/json');
    expect(response.headers['content-length']).to.equal(String(response.text.length));
    expect(response.text.endsWith('}\n')).to.equal(true);
    expect(response.headers).to.not.have.any.keys('x-powered-by');
    expect(response.headers.etag).to.match(/^"[\w-]{27}"$/);
    const typed = await server.ask('/typed');
    expect([typed.status, typed.text]).to.deep.equal([202, '["<>",null]\n']);
    expect(typed.headers['content-type']).to.contain('application/x+json');
  });

  it('a contributed route can access the reconciler and the request body, up to the size limit', async () => {
    const response = await server.ask('/echo', { method: 'POST', body: 'text' });
    expect([response.status, response.text, response.headers['content-type']]).to.deep.equal([201, 'text', 'text/x']);
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
    ['GET', '/tree/known', 200],
    ['POST', '/tree/known', 405],
    ['GET', '/next', 410],
    ['GET', '/tree', 307],
    ['GET', '/treetop', 404],
    ['GET', '/refused', 404],
    ['GET', '/bug', 500],
  ];
  for (const [method, path, status] of refusals) {
    it(`a contributed route returns ${status} for ${method} ${path}`, async () => {
      const response = await server.ask(path, { method });
      expect(response.status).to.equal(status);
      if (response.status === 405) expect(response.headers).to.have.property('allow');
      if ((status !== 200 && status !== 404 && status !== 307 && method !== 'HEAD') || path === '/tree/a/b')
        expect(response.json).to.include.keys('error');
    });
  }

  it('the server logs the stack trace if a contributed route throws', async () => {
    await server.ask('/bug');
    expect(server.entries.findLast(({ level }) => level === 'error')?.fields.stack).to.contain('contributed.test.ts');
  });

  it('a contributed stream applies backpressure if the client reads slowly, and stops when the client disconnects', async () => {
    const client = request({ host: '127.0.0.1', port: server.port, path: '/endless', agent: false }).end();
    const response = await new Promise<NodeJS.ReadableStream>((resolve) => client.on('response', resolve));
    response.pause();
    await sleep(150);
    const before = produced;
    await sleep(100);
    expect(produced).to.equal(before);
    client.destroy();
    expect(await release()).to.equal('returned');
    expect(server.entries.filter(({ fields }) => fields['uri'] === '/endless' && 'error' in fields)).to.deep.equal([]);
  });

  it('a contributed stream sends the first chunk immediately, and is released if the client disconnects while the stream is waiting', async () => {
    const client = request({ host: '127.0.0.1', port: server.port, path: '/quiet', agent: false }).end();
    const response = await new Promise<NodeJS.ReadableStream>((resolve) => client.on('response', resolve));
    const first = await new Promise((resolve) => response.once('data', resolve));
    expect(String(first)).to.equal('hello\n');
    client.destroy();
    expect(await release()).to.equal('quiet');
  });

  it('a contributed stream that fails closes the connection', async () => {
    const error = await server.ask('/broken').catch((it: unknown) => it);
    expect(error).to.be.an('error');
    expect((await server.ask('/document')).status).to.equal(200);
  });

  const failing = async (taps: Readonly<Record<string, (routes: AdminRoutes) => unknown>>): Promise<string> => {
    const error = await startServer({
      prepare: ({ hooks }) => {
        for (const [name, tap] of Object.entries(taps)) hooks.adminRoutes.tap(name, (routes) => void tap(routes));
      },
    }).catch((it: unknown) => it);
    return (error as Error).message;
  };
  const get =
    (path: string) =>
    ({ router }: AdminRoutes): unknown =>
      router.get(path, () => undefined);

  it('contributed routes with the same method and path are rejected, and the error names both packages', async () => {
    const message = await failing({ one: get('/a/:id'), other: get('/b'), two: get('/a/:id') });
    expect(message).to.equal('package one and package two both contribute the admin route GET /a/:id');
    expect(await failing({ one: get('/load'), two: ({ router }) => router.post('/load', () => undefined) })).to.equal(
      'the server and package two both contribute the admin route POST /load',
    );
  });

  it('contributed routes that match every request or use unsupported methods are rejected', async () => {
    const use = (call: (router: Router) => unknown) =>
      failing({ mine: ({ router }) => call(router as unknown as Router) });
    expect(await use((router) => router.use(() => undefined))).to.contain('package mine contributes a handler for');
    expect(await use((router) => router.all('/x', () => undefined))).to.contain('router.all(/x)');
    expect(await use((router) => router.head('/x', () => undefined))).to.contain('router.head(/x)');
    expect(await use((router) => router.param('id', () => undefined))).to.contain('(router.param)');
    expect(await use((router) => router.get(/x/, () => undefined))).to.contain('whose path is /x/');
  });

  it('contributed routes that Express rejects cause a startup failure with the error message from Express', async () => {
    const wrong: readonly (readonly [values: readonly unknown[], message: string])[] = [
      [['/a/*', () => undefined], 'Missing parameter name'],
      [['/x'], 'argument handler is required'],
      [['/x', 'no function'], 'argument handler must be a function'],
    ];
    for (const [values, message] of wrong)
      expect(await failing({ mine: ({ router }) => (router as unknown as Router).get(...values) })).to.contain(message);
  });

  describe('lazy routes', () => {
    const names = ['GET /lazy', 'DELETE /lazy/:id', 'GET /lazy-tree/{*rest}'] as const;
    const addLazy = ({ router, describe: report }: AdminRoutes): void => {
      router.get('/lazy', (_call, response) => response.json('loaded'));
      router.delete('/lazy/:id', (call, response) => response.json(call.params.id));
      router.get('/lazy-tree/{*rest}', (call, response) => response.json(call.params.rest));
      report(() => Promise.resolve({ 'GET /lazy': { summary: 'Lazy', responses: {} } }));
    };

    /** Runs `use` with a server whose lazy routes are loaded by `load`. */
    const withLazy = async (
      load: () => Promise<(routes: AdminRoutes) => void>,
      use: (lazy: TestServer) => Promise<void>,
    ): Promise<void> => {
      const lazy = await startServer({
        document: {},
        prepare: ({ hooks }) => hooks.adminRoutes.tap('lazy', (routes) => routes.lazy(names, load)),
      });
      try {
        await use(lazy);
      } finally {
        await lazy.close();
      }
    };

    it('lazy routes are loaded once, by the first request to any of them', async () => {
      let loads = 0;
      await withLazy(
        async () => {
          loads++;
          await sleep(20);
          return addLazy;
        },
        async (lazy) => {
          const status = async (method: string, path: string): Promise<number> =>
            (await lazy.ask(path, { method })).status;
          expect(await status('POST', '/lazy')).to.equal(405);
          expect(await status('HEAD', '/lazy')).to.equal(405);
          expect(await status('OPTIONS', '/lazy')).to.equal(405);
          expect(await status('GET', '/lazier')).to.equal(404);
          expect((await lazy.ask('/openapi.json?detail=false')).json).to.have.nested.property(
            'paths./lazy/{id}.delete',
          );
          expect(loads).to.equal(0);
          const [first, second] = await Promise.all([lazy.ask('/lazy'), lazy.ask('/lazy/a%2Fb', { method: 'DELETE' })]);
          expect([first.json, second.json, loads]).to.deep.equal(['loaded', 'a/b', 1]);
          expect((await lazy.ask('/lazy-tree/a/b')).json).to.deep.equal(['a', 'b']);
          expect(await status('DELETE', '/lazy/%ff')).to.equal(400);
          expect(await status('PUT', '/lazy/x')).to.equal(405);
          expect(loads).to.equal(1);
        },
      );
    });

    it('GET /openapi.json loads lazy routes and includes their descriptions', async () => {
      await withLazy(
        () => Promise.resolve(addLazy),
        async (lazy) => {
          const { json } = await lazy.ask('/openapi.json');
          expect(json).to.have.nested.property('paths./lazy.get.summary', 'Lazy');
        },
      );
    });

    it('a request fails if its lazy routes cannot be loaded, and the next request tries again', async () => {
      let loads = 0;
      await withLazy(
        () => (++loads <= 2 ? Promise.reject(new Error('no such file')) : Promise.resolve(addLazy)),
        async (lazy) => {
          const failed = await lazy.ask('/lazy');
          expect([failed.status, failed.json]).to.deep.equal([500, { error: 'no such file' }]);
          expect((await lazy.ask('/openapi.json')).status).to.equal(500);
          expect((await lazy.ask('/openapi.json')).status).to.equal(200);
          expect((await lazy.ask('/lazy')).json).to.equal('loaded');
          expect(loads).to.equal(3);
        },
      );
    });

    it('a request to a lazy route fails if the loaded code adds routes that were not declared', async () => {
      await withLazy(
        () => Promise.resolve(({ router }) => void router.get('/lazy', () => undefined)),
        async (lazy) => {
          const { status, json } = await lazy.ask('/lazy');
          expect(status).to.equal(500);
          expect(json)
            .to.have.property('error')
            .that.contains('package lazy declares other lazy admin routes than it adds: DELETE /lazy/:id');
        },
      );
    });

    it('lazy routes with the same method and path as another route are rejected without loading', async () => {
      const load = (): Promise<never> => Promise.reject(new Error('loaded'));
      const message = await failing({ one: get('/lazy'), two: ({ lazy }) => lazy(['GET /lazy'], load) });
      expect(message).to.equal('package one and package two both contribute the admin route GET /lazy');
    });
  });

  it('contributed routes use the Express router', () => {
    expect(express.Router).to.equal(createRouter);
  });
});
