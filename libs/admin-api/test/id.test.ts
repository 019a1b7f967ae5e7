import { expect } from 'chai';
import { startServer, type TestServer } from './admin.ts';

const document = {
  '@id': 'root',
  apps: {
    '@id': 'apps',
    any: {
      routes: [
        { '@id': 'r0', handle: [{ '@id': 'h 0', body: 'old' }] },
        { '@id': 12, n: 1 },
        { '@id': 1.5 },
        { '@id': '' },
        { '@id': '' },
      ],
    },
  },
};

describe('admin-api.id', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.close());
  beforeEach(() => server.reconciler.load(structuredClone(document)));

  const reads: [path: string, status: number, value?: unknown, tag?: string][] = [
    ['/id/r0', 200, document.apps.any.routes[0], '/config/apps/any/routes/0'],
    ['/id/r0/', 200, document.apps.any.routes[0], '/config/apps/any/routes/0'],
    ['/id/r0/handle/', 200, [{ '@id': 'h 0', body: 'old' }], '/config/apps/any/routes/0/handle/'],
    ['/id/r0/handle/0/body', 200, 'old', '/config/apps/any/routes/0/handle/0/body'],
    ['/id/h%200', 200, { '@id': 'h 0', body: 'old' }, '/config/apps/any/routes/0/handle/0'],
    ['/id/12/n', 200, 1, '/config/apps/any/routes/1/n'],
    ['/id/1.5', 200, { '@id': 1.5 }, '/config/apps/any/routes/2'],
    ['/id/root/apps/any/routes/1/n', 200, 1, '/config/apps/any/routes/1/n'],
    ['/id/r0/missing', 200, null, '/config/apps/any/routes/0/missing'],
    ['/id/r0/missing/deep', 400],
    ['/id/', 400],
    ['/id/missing', 404],
    ['/id/missing/x', 404],
    ['/id/%zz', 400],
  ];
  for (const [path, status, value, tag] of reads) {
    it(`/id/ returns ${status} for ${path}`, async () => {
      const response = await server.ask(path);
      expect(response.status).to.equal(status);
      if (status === 200) {
        expect(response.json).to.deep.equal(value);
        expect(response.headers.etag?.split(' ')[0]).to.equal(`"${tag}`);
      }
    });
  }

  it('/id/ returns 404 for an unknown ID, regardless of the method', async () => {
    expect((await server.ask('/id/missing', { method: 'OPTIONS' })).status).to.equal(404);
    expect((await server.ask('/id/r0', { method: 'OPTIONS' })).status).to.equal(405);
  });

  it('/id/ with the ID of the root object refers to /config/', async () => {
    const response = await server.ask('/id/root', { method: 'POST' });
    expect(response.status).to.equal(307);
    expect(response.headers.location).to.equal('/config/');
  });

  it('/id/ changes an object at any position, even after the object has moved', async () => {
    expect((await server.ask('/config/apps/any/routes/0', { method: 'PUT', json: { first: true } })).status).to.equal(
      200,
    );
    expect((await server.ask('/id/h%200/body', { method: 'PATCH', json: 'new' })).status).to.equal(200);
    expect(server.reconciler.read(['apps', 'any', 'routes', '1', 'handle', '0', 'body'])).to.equal('new');
    expect((await server.ask('/id/r0/handle', { method: 'POST', json: { body: 'more' } })).status).to.equal(200);
    expect((await server.ask('/id/r0/handle/...', { method: 'POST', json: [1, 2] })).status).to.equal(200);
    expect((server.reconciler.read(['apps', 'any', 'routes', '1', 'handle']) as unknown[]).slice(1)).to.deep.equal([
      { body: 'more' },
      1,
      2,
    ]);
  });

  it('/id/ looks up the object only after preceding changes in the queue have been applied', async () => {
    const insertions = Array.from({ length: 20 }, () =>
      server.ask('/config/apps/any/routes/0', { method: 'PUT', json: { decoy: 1 } }),
    );
    const changes = Array.from({ length: 20 }, (_, i) =>
      server.ask('/id/r0/handle/0/body', { method: 'PATCH', json: i }),
    );
    for (const response of await Promise.all([...insertions, ...changes])) expect(response.status).to.equal(200);
    const routes = server.reconciler.read(['apps', 'any', 'routes']) as unknown[];
    expect(routes.filter((route) => JSON.stringify(route) === '{"decoy":1}')).to.have.length(20);
  });

  it('/id/ returns 404 for IDs of deleted or replaced objects', async () => {
    expect((await server.ask('/id/r0', { method: 'DELETE' })).status).to.equal(200);
    expect((await server.ask('/id/r0')).status).to.equal(404);
    expect((await server.ask('/id/12', { method: 'PATCH', json: { '@id': 'other' } })).status).to.equal(200);
    expect((await server.ask('/id/12')).status).to.equal(404);
    expect((await server.ask('/id/other')).status).to.equal(200);
  });

  it('the server rejects duplicate IDs, reports both paths, and keeps the configuration', async () => {
    const response = await server.ask('/config/apps/any/routes', { method: 'POST', json: { deep: { '@id': 'r0' } } });
    expect(response.status).to.equal(400);
    expect(response.json)
      .to.have.property('error')
      .that.contains('apps.any.routes[5].deep')
      .and.contains('apps.any.routes[0]');
    expect(server.reconciler.document).to.deep.equal(document);
  });
});
