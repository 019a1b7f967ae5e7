import { expect } from 'chai';
import { startServer, type TestServer } from './admin.ts';
import { change, document, original } from './sample.ts';

describe('admin-api.config: changes', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.close());

  const writes: [
    method: string,
    path: string,
    body: unknown,
    status: number,
    after?: Partial<Record<string, unknown>>,
  ][] = [
    ['POST', 'list', 5, 200, { list: [{ n: 0 }, { n: 1 }, 5] }],
    ['POST', 'list/', 5, 200, { list: [{ n: 0 }, { n: 1 }, 5] }],
    ['POST', 'list', [5], 200, { list: [{ n: 0 }, { n: 1 }, [5]] }],
    ['POST', 'list/...', [5, 6], 200, { list: [{ n: 0 }, { n: 1 }, 5, 6] }],
    ['POST', 'list/...', [], 200],
    ['POST', 'list/...', { n: 5 }, 500],
    ['PUT', 'list', [5], 409],
    ['PUT', 'list/...', [5], 409],
    ['PATCH', 'list', [5], 200, { list: [5] }],
    ['PATCH', 'list/...', [5], 200, { list: [5] }],
    ['DELETE', 'list', undefined, 200, { list: undefined }],
    ['DELETE', 'list/...', undefined, 200, { list: undefined }],
    ['POST', 'list/0', 5, 200, { list: [{ n: 0 }, { n: 1 }, 5] }],
    ['POST', 'list/9', 5, 200, { list: [{ n: 0 }, { n: 1 }, 5] }],
    ['POST', 'list/0/...', [5, 6], 200, { list: [{ n: 0 }, { n: 1 }, 5, 6] }],
    ['POST', 'nested/1', 4, 200, { nested: [1, [2, 3, 4]] }],
    ['POST', 'nested/1/...', [4, 5], 200, { nested: [1, [2, 3, 4, 5]] }],
    ['PUT', 'list/0', 5, 200, { list: [5, { n: 0 }, { n: 1 }] }],
    ['PUT', 'list/2', 5, 200, { list: [{ n: 0 }, { n: 1 }, 5] }],
    ['PUT', 'list/3', 5, 500],
    ['PUT', 'list/-1', 5, 500],
    ['PUT', 'list/01', 5, 500],
    ['PUT', 'list/x', 5, 500],
    ['PATCH', 'list/0', 5, 200, { list: [5, { n: 1 }] }],
    ['PATCH', 'list/2', 5, 500],
    ['PATCH', 'list/x', 5, 500],
    ['DELETE', 'list/0', undefined, 200, { list: [{ n: 1 }] }],
    ['DELETE', 'list/2', undefined, 500],
    ['DELETE', 'list/-1', undefined, 500],
    ['DELETE', 'list/...x', undefined, 500],
    ['POST', 'text', 'new', 200, { text: 'new' }],
    ['POST', 'fresh', { a: 1 }, 200, { fresh: { a: 1 } }],
    ['POST', 'object/...', [1], 200, { object: [1] }],
    ['POST', 'object/...', 5, 200, { object: 5 }],
    ['POST', 'fresh/...', [1], 200, { fresh: [1] }],
    ['POST', 'list/0/n', 7, 200, { list: [{ n: 7 }, { n: 1 }] }],
    ['PUT', 'fresh', 5, 200, { fresh: 5 }],
    ['PUT', 'text', 5, 409],
    ['PUT', 'nothing', 5, 409],
    ['PUT', 'fresh/a/b', 5, 200, { fresh: { a: { b: 5 } } }],
    ['PUT', 'nothing/a', 5, 200, { nothing: { a: 5 } }],
    ['PUT', 'list/1/deep/er', 5, 200, { list: [{ n: 0 }, { n: 1, deep: { er: 5 } }] }],
    ['PUT', 'list/2/deep', 5, 500],
    ['PUT', 'text/a', 5, 500],
    ['PATCH', 'text', null, 200, { text: null }],
    ['PATCH', 'nothing', 1, 200, { nothing: 1 }],
    ['PATCH', 'missing', 1, 404],
    ['DELETE', 'text', undefined, 200, { text: undefined }],
    ['DELETE', 'nothing', undefined, 200, { nothing: undefined }],
    ['DELETE', 'missing', undefined, 404],
    // Paths below a missing value, or below a value that has no children.
    ['POST', 'missing/a', 1, 500],
    ['POST', 'text/a', 1, 500],
    ['POST', 'nothing/a', 1, 500],
    ['PATCH', 'missing/a', 1, 500],
    ['PATCH', 'text/a', 1, 500],
    ['DELETE', 'missing/a', undefined, 500],
    ['DELETE', 'text/a', undefined, 500],
    ['DELETE', 'nothing/a', undefined, 500],
    // Errors caused by the changed configuration.
    ['POST', 'text', 'refuse', 500],
    ['POST', 'text', 'bug', 500],
    ['PATCH', '/config/apps', { unknown: {} }, 500],
    ['PATCH', '/config/apps', { any: null, strict: { other: 1 } }, 500],
    ['PUT', '/config/unknown', {}, 500],
    ['PATCH', '/config/', [], 500],
    ['PUT', '/config/', {}, 409],
    ['PUT', 'fresh', [{ '@id': 'a' }, { '@id': 'a' }], 400],
    ['PUT', 'fresh', { '@id': true }, 400],
    ['PUT', 'fresh', { '@id': null }, 400],
  ];
  describe('admin-api.config: changed documents', () => {
    for (const [method, path, body, status, after] of writes) {
      it(`${method} ${path} ${body === undefined ? '' : JSON.stringify(body)} returns ${status}`, async () => {
        const { response, any } = await change(server, method, path, body === undefined ? {} : { json: body });
        expect(response.status).to.equal(status);
        const expected = Object.fromEntries(
          Object.entries({ ...original, ...after }).filter(([, value]) => value !== undefined),
        );
        expect(any).to.deep.equal(expected);
        if (status === 200) {
          expect(response.text).to.equal('');
          expect(response.headers).to.not.have.any.keys('content-type', 'etag');
        } else {
          expect(response.json).to.have.all.keys('error');
          expect(response.headers['content-type']).to.equal('application/json');
        }
      });
    }

    it('PUT to a path below null creates an object if the null is an object member, but fails if the null is an array element, as in Caddy', async () => {
      const created = await startServer({ document: { apps: { any: { list: [null], key: null } } } });
      try {
        const put = { method: 'PUT', json: true };
        expect((await created.ask('/config/apps/any/list/0/x', put)).status).to.equal(500);
        expect((await created.ask('/config/apps/any/list/0/x/y', put)).status).to.equal(500);
        expect((await created.ask('/config/apps/any/key/x', put)).status).to.equal(200);
      } finally {
        await created.close();
      }
    });

    it('/config/ can replace and unload the whole document', async () => {
      await server.reconciler.load(document);
      expect((await server.ask('/config/', { method: 'POST', json: { apps: { any: { other: 1 } } } })).status).to.equal(
        200,
      );
      expect(server.reconciler.document).to.deep.equal({ apps: { any: { other: 1 } } });
      expect((await server.ask('/config/', { method: 'DELETE' })).status).to.equal(200);
      expect((await server.ask('/config/')).json).to.equal(null);
      expect((await server.ask('/config/apps')).status).to.equal(400);
      expect((await server.ask('/config/', { method: 'DELETE' })).status).to.equal(404);
      expect((await server.ask('/config/', { method: 'PATCH', json: {} })).status).to.equal(404);
      expect((await server.ask('/config/apps', { method: 'POST', json: {} })).status).to.equal(500);
      expect((await server.ask('/config/apps/any/x', { method: 'PUT', json: 1 })).status).to.equal(200);
      expect(server.reconciler.document).to.deep.equal({ apps: { any: { x: 1 } } });
      expect((await server.ask('/config/', { method: 'POST', json: null })).status).to.equal(200);
      expect((await server.ask('/config/', { method: 'PUT', json: {} })).status).to.equal(200);
      expect(server.reconciler.document).to.deep.equal({});
    });

    it('/config/ reports the path and reason of a rejected configuration, and logs the stack trace of internal errors', async () => {
      const refused = await change(server, 'POST', 'text', { json: 'refuse' });
      expect(refused.response.json).to.deep.equal({ error: 'loading new config: apps.any: refused on request' });
      const before = server.entries.length;
      await change(server, 'POST', 'text', { json: 'bug' });
      const entry = server.entries.slice(before).find(({ fields }) => fields.cause !== undefined);
      expect(entry?.fields.cause).to.contain('admin.ts');
    });
  });
});
