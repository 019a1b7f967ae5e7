import { expect } from 'chai';
import type { Json } from '@sluice/registry';
import { startServer, type Answer, type Sent, type TestServer } from './admin.ts';

const base = '/config/apps/any';
const document: Json = {
  apps: {
    any: { list: [{ n: 0 }, { n: 1 }], nested: [1, [2, 3]], object: { key: 'value' }, nothing: null, text: 'hello' },
  },
};

let server: TestServer;

/** What `any` is after a request to the fresh document. */
async function change(
  method: string,
  path: string,
  sent: Sent = {},
): Promise<{ answer: Answer; any: Record<string, unknown> }> {
  await server.engine.load(structuredClone(document));
  const answer = await server.ask(path.startsWith('/config') ? path : `${base}/${path}`, { method, ...sent });
  return { answer, any: server.engine.read(['apps', 'any']) as Record<string, unknown> };
}

const original = (document as { apps: { any: Record<string, unknown> } }).apps.any;

describe('admin-api.config', () => {
  before(async () => {
    server = await startServer();
  });
  after(() => server.close());

  describe('GET', () => {
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
      it(`answers ${status} for ${path.slice(0, 60)}`, async () => {
        await server.engine.load(document);
        const answer = await server.ask(path);
        expect(answer.status).to.equal(status);
        expect(answer.headers['content-type']).to.equal('application/json');
        if (status === 200) {
          expect(answer.json).to.deep.equal(value);
          expect(answer.text).to.match(/\n$/);
          expect(answer.headers.etag).to.match(/^"\/config\/.* [0-9a-f]{16}"$/);
        } else expect(answer.json).to.have.all.keys('error');
      });
    }

    it('shows the path of the request in the tag', async () => {
      await server.engine.load({ apps: { any: { 'a b': { 'c/d': [1] } } } });
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

    it('sends nothing that a framework adds', async () => {
      const { headers } = await server.ask(base);
      expect(Object.keys(headers).toSorted()).to.deep.equal([
        'connection',
        'content-length',
        'content-type',
        'date',
        'etag',
      ]);
    });

    it('answers large documents in pieces that make the whole', async () => {
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
      await server.engine.load(large);
      const answer = await server.ask('/config/');
      expect(answer.headers['transfer-encoding']).to.equal('chunked');
      expect(answer.json).to.deep.equal(large);
    });
  });

  describe('methods', () => {
    for (const method of ['HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'COPY']) {
      it(`refuses ${method}`, async () => {
        const answer = await server.ask(base, { method });
        expect(answer.status).to.equal(405);
        expect(answer.headers).to.not.have.property('allow');
        if (method !== 'HEAD') expect(answer.json).to.deep.equal({ error: `method ${method} not allowed` });
      });
    }
  });

  const writes: [
    method: string,
    path: string,
    body: unknown,
    status: number,
    after?: Partial<Record<string, unknown>>,
  ][] = [
    // An array.
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
    // An index.
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
    // A key.
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
    // Below what is not there, or has no inside.
    ['POST', 'missing/a', 1, 500],
    ['POST', 'text/a', 1, 500],
    ['POST', 'nothing/a', 1, 500],
    ['PATCH', 'missing/a', 1, 500],
    ['PATCH', 'text/a', 1, 500],
    ['DELETE', 'missing/a', undefined, 500],
    ['DELETE', 'text/a', undefined, 500],
    ['DELETE', 'nothing/a', undefined, 500],
    // What the configuration makes of it.
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
  describe('changes', () => {
    for (const [method, path, body, status, after] of writes) {
      it(`answers ${status} for ${method} ${path} ${body === undefined ? '' : JSON.stringify(body)}`, async () => {
        const { answer, any } = await change(method, path, body === undefined ? {} : { json: body });
        expect(answer.status).to.equal(status);
        const expected = Object.fromEntries(
          Object.entries({ ...original, ...after }).filter(([, value]) => value !== undefined),
        );
        expect(any).to.deep.equal(expected);
        if (status === 200) {
          expect(answer.text).to.equal('');
          expect(answer.headers).to.not.have.any.keys('content-type', 'etag');
        } else {
          expect(answer.json).to.have.all.keys('error');
          expect(answer.headers['content-type']).to.equal('application/json');
        }
      });
    }

    it('replaces and unloads the whole document', async () => {
      await server.engine.load(document);
      expect((await server.ask('/config/', { method: 'POST', json: { apps: { any: { other: 1 } } } })).status).to.equal(
        200,
      );
      expect(server.engine.document).to.deep.equal({ apps: { any: { other: 1 } } });
      expect((await server.ask('/config/', { method: 'DELETE' })).status).to.equal(200);
      expect((await server.ask('/config/')).json).to.equal(null);
      expect((await server.ask('/config/apps')).status).to.equal(400);
      expect((await server.ask('/config/', { method: 'DELETE' })).status).to.equal(404);
      expect((await server.ask('/config/', { method: 'PATCH', json: {} })).status).to.equal(404);
      expect((await server.ask('/config/apps', { method: 'POST', json: {} })).status).to.equal(500);
      expect((await server.ask('/config/apps/any/x', { method: 'PUT', json: 1 })).status).to.equal(200);
      expect(server.engine.document).to.deep.equal({ apps: { any: { x: 1 } } });
      expect((await server.ask('/config/', { method: 'POST', json: null })).status).to.equal(200);
      expect((await server.ask('/config/', { method: 'PUT', json: {} })).status).to.equal(200);
      expect(server.engine.document).to.deep.equal({});
    });

    it('says where and why a configuration is refused, and what failed of its own with a stack in the log', async () => {
      const refused = await change('POST', 'text', { json: 'refuse' });
      expect(refused.answer.json).to.deep.equal({ error: 'loading new config: apps.any: refused on request' });
      const before = server.entries.length;
      await change('POST', 'text', { json: 'bug' });
      const entry = server.entries.slice(before).find(({ fields }) => fields.cause !== undefined);
      expect(entry?.fields.cause).to.contain('admin.ts');
    });
  });

  describe('keys', () => {
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
      it(`round-trips ${JSON.stringify(key)}`, async () => {
        await server.engine.load({ apps: { any: {} } });
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

  describe('bodies', () => {
    const types: [type: string | null, status: number][] = [
      ['application/json', 200],
      ['text/json', 200],
      ['application/jsonx', 200],
      ['application/json; charset=utf-8', 200],
      [null, 400],
      ['text/plain', 400],
      ['APPLICATION/JSON', 400],
    ];
    for (const [type, status] of types) {
      it(`answers ${status} for the content type ${type}`, async () => {
        const { answer } = await change('PATCH', 'text', {
          body: '"x"',
          ...(type === null ? {} : { headers: { 'Content-Type': type } }),
        });
        expect(answer.status).to.equal(status);
      });
    }

    const nest = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    const bodies: [name: string, body: string, status: number, value?: unknown][] = [
      ['nothing', '', 200, null],
      ['white space around', ' \n[1]\t ', 200, [1]],
      ['an open object', '{', 500],
      ['two values', '1 2', 500],
      ['a byte order mark', '\uFEFF1', 500],
      ['a comment', '/* */1', 500],
      ['a trailing comma', '[1,]', 500],
      ['NaN', 'NaN', 500],
      ['a duplicate key', '{"a":1,"a":2}', 200, { a: 2 }],
      ['half a surrogate pair', '"\\ud800x"', 200, '\uFFFDx'],
      ['brackets in a text', `"${'['.repeat(500)}\\"${'['.repeat(500)}"`, 200, `${'['.repeat(500)}"${'['.repeat(500)}`],
      ['nesting as deep as it may be', nest(197), 200, JSON.parse(nest(197))],
      ['nesting one too deep', nest(198), 500],
      ['absurd nesting', nest(1_000_000), 500],
    ];
    for (const [name, body, status, value] of bodies) {
      it(`answers ${status} for ${name}`, async () => {
        const { answer, any } = await change('PATCH', 'text', {
          body,
          headers: { 'Content-Type': 'application/json' },
        });
        expect(answer.status).to.equal(status);
        expect(any.text).to.deep.equal(status === 200 ? value : 'hello');
        if (status === 500)
          expect(answer.json)
            .to.have.property('error')
            .that.matches(/^decoding request body: /);
      });
    }

    it('answers 413 for a body over the bound, announced or not, and changes nothing', async () => {
      const small = await startServer({ bodyLimit: 1000, document: { apps: { any: { a: 1 } } } });
      try {
        for (const headers of [{}, { 'Transfer-Encoding': 'chunked' }]) {
          const answer = await small.ask(base, { method: 'PATCH', json: 'x'.repeat(2000), headers });
          expect(answer.status).to.equal(413);
          expect(answer.json).to.have.all.keys('error');
        }
        expect(small.engine.read(['apps', 'any'])).to.deep.equal({ a: 1 });
      } finally {
        await small.close();
      }
    });
  });

  describe('If-Match', () => {
    const hashOf = async (path: string): Promise<string> => (await server.ask(path)).headers.etag as string;

    it('lets a change through whose scope is the same, whatever else changed', async () => {
      await server.engine.load(document);
      const tag = await hashOf(`${base}/object`);
      await server.ask(`${base}/text`, { method: 'PATCH', json: 'other' });
      const answer = await server.ask(`${base}/list`, { method: 'POST', json: 1, headers: { 'If-Match': tag } });
      expect(answer.status).to.equal(200);
    });

    it('answers 412 when a parent or child scope has changed', async () => {
      await server.engine.load(document);
      const [root, parent, child] = [await hashOf('/config/'), await hashOf(base), await hashOf(`${base}/list/0/n`)];
      await server.ask(`${base}/list/0/n`, { method: 'PATCH', json: 9 });
      for (const tag of [root, parent, child]) {
        const answer = await server.ask(`${base}/text`, { method: 'PATCH', json: 'x', headers: { 'If-Match': tag } });
        expect(answer.status).to.equal(412);
        expect(answer.json).to.have.property('error').that.contains('has changed');
      }
      expect(server.engine.read(['apps', 'any', 'text'])).to.equal('hello');
    });

    it('makes of the tag of a missing key "must still be absent"', async () => {
      await server.engine.load(document);
      const headers = { 'If-Match': await hashOf(`${base}/fresh`) };
      expect((await server.ask(`${base}/fresh`, { method: 'PUT', json: 1, headers })).status).to.equal(200);
      expect((await server.ask(`${base}/fresh`, { method: 'POST', json: 1, headers })).status).to.equal(412);
    });

    it('works for a deletion and through /id/', async () => {
      await server.engine.load({ apps: { any: { x: { '@id': 'it', y: 1 } } } });
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
      ['"/config/nothing abc"', 412],
      ['"/other abc"', 412],
      ['"/other/deep abc"', 500],
      ['"/id/it abc"', 500],
      [`"${base}/list/9 abc"`, 500],
      [`"${base}/text/x abc"`, 500],
    ];
    for (const [value, status] of malformed) {
      it(`answers ${status} for ${value || 'an empty value'}`, async () => {
        const { answer } = await change('PATCH', 'text', { json: 'new', headers: { 'If-Match': value } });
        expect(answer.status).to.equal(status);
      });
    }

    it('comes before the body and the path', async () => {
      const headers = { 'If-Match': '"/config/ abc"', 'Content-Type': 'application/json' };
      expect((await change('POST', 'missing/deep', { body: '{', headers })).answer.status).to.equal(412);
    });

    it('is ignored by GET', async () => {
      expect(
        (await server.ask(base, { headers: { 'If-Match': 'nonsense', 'If-None-Match': await hashOf(base) } })).status,
      ).to.equal(200);
    });
  });
});
