import { expect } from 'chai';
import { startServer, type TestServer } from './admin.ts';
import { base, document, original } from './sample.ts';

describe('admin-api.config: reading', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.close());

  describe('admin-api.config: GET', () => {
    const reads: [path: string, status: number, value?: unknown][] = [
      ['/config/', 200, document],
      ['/config/...', 200, document],
      [base, 200, original],
      [`${base}/`, 200, original],
      [`${base}/list/1`, 200, { n: 1 }],
      [`${base}/list/1/n`, 200, 1],
      [`${base}/list/...`, 200, original.list],
      [`${base}/nothing`, 200, null],
      [`${base}/missing`, 200, null],
      ['/config/missing', 200, null],
      [`${base}/list/0/missing`, 200, null],
      [`${base}?ignored=1`, 200, original],
      ['/%63onfig/apps/any/text', 200, 'hello'],
      [`${base}/missing/x`, 400],
      [`${base}/nothing/x`, 400],
      [`${base}/text/0`, 400],
      [`${base}/list/2`, 400],
      [`${base}/list/-1`, 400],
      [`${base}/list/01`, 400],
      [`${base}/list/+1`, 400],
      [`${base}/list/-0`, 400],
      [`${base}/list/1e0`, 400],
      [`${base}/list/x`, 400],
      [`${base}/list/99999999999999999999`, 400],
      [`${base}/list/.../0`, 400],
      [`${base}/%ff`, 400],
      [`/config${'/a'.repeat(300)}`, 400],
    ];
    for (const [path, status, value] of reads) {
      it(`GET /config/ returns ${status} for ${path.slice(0, 60)}`, async () => {
        await server.reconciler.load(document);
        const response = await server.ask(path);
        expect(response.status).to.equal(status);
        expect(response.headers['content-type']).to.equal('application/json');
        if (status === 200) {
          expect(response.json).to.deep.equal(value);
          expect(response.text).to.match(/\n$/);
          expect(response.headers.etag).to.match(/^"\/config\/.* [0-9a-f]{16}"$/);
        } else expect(response.json).to.have.all.keys('error');
      });
    }

    it('GET /config/ returns an Etag that contains the path of the request', async () => {
      await server.reconciler.load({ apps: { any: { 'a b': { 'c/d': [1] } } } });
      for (const [path, shown] of [
        ['/config/', '/config/'],
        ['/config/...', '/config/...'],
        ['/config/apps', '/config/apps'],
        ['/config/apps/', '/config/apps/'],
        [`${base}/a%20b/c%2Fd`, `${base}/a%20b/c%2Fd`],
        [`${base}/a%20b/c%2Fd/...`, `${base}/a%20b/c%2Fd/...`],
      ] as const) {
        expect((await server.ask(path)).headers.etag?.split(' ')[0], path).to.equal(`"${shown}`);
      }
    });

    it('GET /config/ returns no headers added by a framework', async () => {
      const { headers } = await server.ask(base);
      expect(Object.keys(headers).toSorted()).to.deep.equal([
        'connection',
        'content-length',
        'content-type',
        'date',
        'etag',
      ]);
    });

    it('GET /config/ returns large documents in chunks', async () => {
      const routes = Array.from({ length: 5000 }, (_, i) => ({
        n: i,
        text: `${i}`.repeat(10),
        object: { [`k${i}`]: null },
      }));
      const large = {
        apps: {
          any: {
            routes,
            keys: Object.fromEntries(routes.map(({ n }) => [`k${n}`, n])),
            '': [],
            o: {},
            '\u2028': '\u0000',
          },
        },
      };
      await server.reconciler.load(large);
      const response = await server.ask('/config/');
      expect(response.headers['transfer-encoding']).to.equal('chunked');
      expect(response.json).to.deep.equal(large);
    });
  });

  describe('admin-api.config: methods', () => {
    for (const method of ['HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'COPY']) {
      it(`/config/ rejects ${method}`, async () => {
        const response = await server.ask(base, { method });
        expect(response.status).to.equal(405);
        expect(response.headers).to.have.property('allow');
        if (method !== 'HEAD') expect(response.json).to.deep.equal({ error: `method ${method} not allowed` });
      });
    }
  });

  describe('admin-api.config: keys', () => {
    for (const key of [
      'a b',
      'a/b',
      '"',
      "'",
      '\\',
      'ü',
      '😀',
      '~',
      '~1',
      '..',
      '.',
      '...',
      '%',
      '%2F',
      '+',
      '#',
      '?',
      '__proto__',
      'constructor',
      '\n',
      '\u0000',
      '0',
    ]) {
      it(`/config/ round-trips the key ${JSON.stringify(key)}`, async () => {
        await server.reconciler.load({ apps: { any: {} } });
        const path = `${base}/${encodeURIComponent(key).replaceAll('.', '%2E')}`;
        expect((await server.ask(path, { method: 'PUT', json: { in: 1 } })).status).to.equal(200);
        const read = await server.ask(path);
        expect(read.json).to.deep.equal({ in: 1 });
        expect(Object.keys((await server.ask(base)).json as object)).to.deep.equal([key]);
        const headers = { 'If-Match': read.headers.etag as string };
        expect((await server.ask(`${path}/in`, { method: 'PATCH', json: 2, headers })).status).to.equal(200);
        expect((await server.ask(`${path}/in`, { method: 'PATCH', json: 3, headers })).status).to.equal(412);
        expect((await server.ask(path, { method: 'DELETE' })).status).to.equal(200);
        expect((await server.ask(base)).json).to.deep.equal({});
      });
    }
  });
});
