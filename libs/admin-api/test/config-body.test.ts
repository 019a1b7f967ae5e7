import { expect } from 'chai';
import { startServer, type TestServer } from './admin.ts';
import { base, change } from './sample.ts';

describe('admin-api.config: bodies', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.close());

  describe('admin-api.config: request bodies', () => {
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
      it(`/config/ returns ${status} for the content type ${type}`, async () => {
        const { response } = await change(server, 'PATCH', 'text', {
          body: '"x"',
          ...(type === null ? {} : { headers: { 'Content-Type': type } }),
        });
        expect(response.status).to.equal(status);
      });
    }

    const nest = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    const bodies: [name: string, body: string, status: number, value?: unknown][] = [
      ['an empty body', '', 200, null],
      ['whitespace around the JSON', ' \n[1]\t ', 200, [1]],
      ['an unclosed object', '{', 500],
      ['two values', '1 2', 500],
      ['a byte order mark', '\uFEFF1', 500],
      ['a comment', '/* */1', 500],
      ['a trailing comma', '[1,]', 500],
      ['NaN', 'NaN', 500],
      ['only whitespace', ' ', 500],
      ['a number out of range', '[1e400]', 500],
      ['a number with 400 digits', `-${'9'.repeat(400)}`, 500],
      ['a number with an exponent', '1e+100', 200, 1e100],
      ['a duplicate key', '{"a":1,"a":2}', 200, { a: 2 }],
      ['an unpaired surrogate', '"\\ud800x"', 200, '\uFFFDx'],
      [
        'brackets in a string',
        `"${'['.repeat(500)}\\"${'['.repeat(500)}"`,
        200,
        `${'['.repeat(500)}"${'['.repeat(500)}`,
      ],
      ['the maximum nesting depth', nest(197), 200, JSON.parse(nest(197))],
      ['nesting one level too deep', nest(198), 500],
      ['nesting far too deep', nest(1_000_000), 500],
    ];
    for (const [name, body, status, value] of bodies) {
      it(`/config/ returns ${status} for ${name}`, async () => {
        const { response, any } = await change(server, 'PATCH', 'text', {
          body,
          headers: { 'Content-Type': 'application/json' },
        });
        expect(response.status).to.equal(status);
        expect(any.text).to.deep.equal(status === 200 ? value : 'hello');
        if (status === 500)
          expect(response.json)
            .to.have.property('error')
            .that.matches(/^decoding request body: /);
      });
    }

    it('/config/ returns 413 for bodies over the limit, with or without Content-Length, and does not change the configuration', async () => {
      const small = await startServer({ bodyLimit: 1000, document: { apps: { any: { a: 1 } } } });
      try {
        for (const headers of [{}, { 'Transfer-Encoding': 'chunked' }]) {
          const response = await small.ask(base, { method: 'PATCH', json: 'x'.repeat(2000), headers });
          expect(response.status).to.equal(413);
          expect(response.json).to.have.all.keys('error');
        }
        expect(small.reconciler.read(['apps', 'any'])).to.deep.equal({ a: 1 });
      } finally {
        await small.close();
      }
    });
  });
});
