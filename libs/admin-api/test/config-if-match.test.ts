import { expect } from 'chai';
import { startServer, type TestServer } from './admin.ts';
import { base, change, document } from './sample.ts';

describe('admin-api.config: If-Match', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.close());

  describe('admin-api.config: If-Match preconditions', () => {
    const hashOf = async (path: string): Promise<string> => (await server.ask(path)).headers.etag as string;

    it('If-Match permits a change if the value at the path in the tag is unchanged, even if other values changed', async () => {
      await server.reconciler.load(document);
      const tag = await hashOf(`${base}/object`);
      await server.ask(`${base}/text`, { method: 'PATCH', json: 'other' });
      const response = await server.ask(`${base}/list`, { method: 'POST', json: 1, headers: { 'If-Match': tag } });
      expect(response.status).to.equal(200);
    });

    it('If-Match returns 412 if a parent or child of the tagged path has changed', async () => {
      await server.reconciler.load(document);
      const [root, parent, child] = [await hashOf('/config/'), await hashOf(base), await hashOf(`${base}/list/0/n`)];
      await server.ask(`${base}/list/0/n`, { method: 'PATCH', json: 9 });
      for (const tag of [root, parent, child]) {
        const response = await server.ask(`${base}/text`, { method: 'PATCH', json: 'x', headers: { 'If-Match': tag } });
        expect(response.status).to.equal(412);
        expect(response.json).to.have.property('error').that.contains('has changed');
      }
      expect(server.reconciler.read(['apps', 'any', 'text'])).to.equal('hello');
    });

    it('If-Match with the Etag of a missing key requires that the key is still missing', async () => {
      await server.reconciler.load(document);
      const headers = { 'If-Match': await hashOf(`${base}/fresh`) };
      expect((await server.ask(`${base}/fresh`, { method: 'PUT', json: 1, headers })).status).to.equal(200);
      expect((await server.ask(`${base}/fresh`, { method: 'POST', json: 1, headers })).status).to.equal(412);
    });

    it('If-Match applies to deletions and to /id/ paths', async () => {
      await server.reconciler.load({ apps: { any: { x: { '@id': 'it', y: 1 } } } });
      const tag = (await server.ask('/id/it')).headers.etag as string;
      expect(tag).to.match(/^"\/config\/apps\/any\/x /);
      expect(
        (await server.ask('/id/it/y', { method: 'PATCH', json: 2, headers: { 'If-Match': tag } })).status,
      ).to.equal(200);
      expect((await server.ask('/id/it', { method: 'DELETE', headers: { 'If-Match': tag } })).status).to.equal(412);
    });

    const malformed: [value: string, status: number][] = [
      ['', 200],
      ['nonsense', 400],
      ['*', 400],
      ['"one"', 400],
      ['"one two three"', 400],
      ['W/"/config/ abc"', 400],
      ['"/config/ abc", "/config/ def"', 400],
      ['"/config/%zz abc"', 400],
      ['"/config/ abc"', 412],
      ['"/config/  abc"', 412],
      ['"/config/nothing abc"', 412],
      ['"/other abc"', 412],
      ['"/ abc"', 500],
      ['"/other/deep abc"', 500],
      ['"/id/it abc"', 500],
      [`"${base}/list/9 abc"`, 500],
      [`"${base}/text/x abc"`, 500],
    ];
    for (const [value, status] of malformed) {
      it(`If-Match returns ${status} for ${value || 'an empty value'}`, async () => {
        const { response } = await change(server, 'PATCH', 'text', { json: 'new', headers: { 'If-Match': value } });
        expect(response.status).to.equal(status);
      });
    }

    it('If-Match is evaluated before the body and the path', async () => {
      const headers = { 'If-Match': '"/config/ abc"', 'Content-Type': 'application/json' };
      expect((await change(server, 'POST', 'missing/deep', { body: '{', headers })).response.status).to.equal(412);
    });

    it('If-Match has no effect on GET requests', async () => {
      expect(
        (await server.ask(base, { headers: { 'If-Match': 'nonsense', 'If-None-Match': await hashOf(base) } })).status,
      ).to.equal(200);
    });
  });
});
