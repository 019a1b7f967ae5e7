import { connect } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Json } from '@sluice/base';
import { startServer, type TestResponse, type TestServer } from './admin.ts';

const document: Json = {
  apps: {
    any: { list: [1, { '@id': 'one', in: [1, 2] }, [3]], object: { 'a b': { '/': null } }, text: 'x' },
    strict: { text: 's' },
  },
};

/** Known error messages with a 5xx status, caused by a request body, a rejected configuration, or a path. */
const known = /^(?:decoding request body: |loading new config: |\/config|the body must be|the request has no body)/;

const segments = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom('apps', 'any', 'list', 'object', 'text', 'strict', 'in', '0', '1', '2', '3', 'new'),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'a%20b',
      '%2F',
      '...',
      '-1',
      '01',
      '99999999999',
      '%2E%2E',
      '@id',
      '__proto__',
      '%00',
      '%ff',
    ),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 8 }).map((text) => encodeURIComponent(text.toWellFormed())) },
);

const paths = fc
  .tuple(
    fc.constantFrom(
      '/config/',
      '/config/apps/any/',
      '/config/apps/',
      '/id/one/',
      '/id/',
      '/load',
      '/adapt',
      '/schema',
      '/nope',
      '/config/apps/any/list/',
    ),
    fc.array(segments, { maxLength: 4 }),
    fc.constantFrom('', '/', '/...', '?dry_run', '?dry_run=0', '//', '/..', '?%', '#'),
  )
  .map(([root, rest, end]) => root + rest.join('/') + end);

const values: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom({ '@id': 'one' }, { '@id': 'two' }, { '@id': [] }, 'refuse', 'bug', { apps: {} }, document, null, []),
  fc.array(
    fc.record(
      {
        op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test', 'x'),
        path: fc.constantFrom('', '/0', '/apps', '/-', '/list/1', 'x'),
        from: fc.constantFrom('', '/1', '/list'),
        value: fc.jsonValue({ maxDepth: 2 }),
      },
      { requiredKeys: ['op'] },
    ),
  ),
);

const bodies = fc.oneof(
  { weight: 8, arbitrary: values.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.tuple(values, fc.nat()).map(([value, at]) => JSON.stringify(value).slice(0, at % 40)) },
  { weight: 1, arbitrary: fc.string() },
  { weight: 1, arbitrary: fc.nat(20_000).map((depth) => '['.repeat(depth) + ']'.repeat(depth)) },
);

const headers = fc.record(
  {
    'Content-Type': fc.constantFrom(
      'application/json',
      'application/json',
      'application/json',
      'application/json-patch+json',
      'application/merge-patch+json',
      'text/plain',
      'x',
      'text/nope',
    ),
    'If-Match': fc.constantFrom(
      '"/config/ 0000000000000000"',
      '"/config/apps/any/list 1"',
      '"/x/y z"',
      'nonsense',
      '"a b"',
      '',
    ),
    'Cache-Control': fc.constantFrom('must-revalidate', 'no-cache'),
    Origin: fc.constantFrom('null', 'http://evil.example', ''),
  },
  { requiredKeys: ['Content-Type'] },
);

const methods = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE') },
  { weight: 1, arbitrary: fc.constantFrom('HEAD', 'OPTIONS', 'TRACE', 'PROPFIND') },
);

describe('admin-api: fuzzing', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.close());

  function expectSound(response: TestResponse, method: string): void {
    if (response.status >= 400 && method !== 'HEAD' && response.status !== 404)
      expect(response.json, response.text).to.have.property('error').that.is.a('string').and.not.equal('');
    if (response.status >= 500) expect((response.json as { error: string } | undefined)?.error ?? '').to.match(known);
  }

  it('every random request gets a response, and rejected requests do not change the configuration', async () => {
    await fc.assert(
      fc
        .asyncProperty(
          fc.array(fc.tuple(methods, paths, headers, bodies), { minLength: 1, maxLength: 12 }),
          async (requests) => {
            for (const [method, path, fields, body] of requests) {
              const before = server.reconciler.document;
              const text = JSON.stringify(before);
              const response = await server.ask(path, {
                method,
                body: ['GET', 'HEAD'].includes(method) ? '' : body,
                headers: fields,
              });
              expectSound(response, method);
              const kept = response.status !== 200 || method === 'GET' || path.includes('dry_run');
              if (kept && !path.includes('dry_run=0')) expect(server.reconciler.document).to.equal(before);
              expect(JSON.stringify(before)).to.equal(text);
            }
            expect((await server.ask('/config/')).json).to.deep.equal(server.reconciler.document);
          },
        )
        .beforeEach(() => server.reconciler.load(structuredClone(document)).then(() => undefined)),
      { numRuns: 150 },
    );
    const unexpected = server.entries.filter(
      ({ fields }) => typeof fields.stack === 'string' && !String(fields.cause ?? fields.stack).includes('admin.ts'),
    );
    expect(unexpected.map(({ fields }) => fields.stack)).to.deep.equal([]);
  }).timeout(60_000);

  // Attack in docs/security.md: Random bytes; 64 concurrent writers, with one invalid request in five.
  it('the admin endpoint survives arbitrary bytes', async () => {
    const request = `PATCH /config/apps/any/text?dry_run HTTP/1.1\r\nHost: localhost:${server.port}\r\nContent-Type: application/json\r\nContent-Length: 3\r\n\r\n"x"`;
    const mutations = fc.array(fc.tuple(fc.nat(request.length), fc.nat(4), fc.uint8Array({ maxLength: 6 })), {
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(mutations, async (edits) => {
        const bytes = [...Buffer.from(request)];
        for (const [at, removed, added] of edits) bytes.splice(at, removed, ...added);
        await new Promise<void>((resolve) => {
          const socket = connect(server.port, '127.0.0.1', () => socket.end(Buffer.from(bytes)));
          socket.on('data', () => {});
          socket.on('error', () => {});
          socket.on('close', () => resolve());
        });
      }),
      { numRuns: 200 },
    );
    expect((await server.ask('/config/')).status).to.equal(200);
  }).timeout(60_000);

  it('changes by 64 concurrent writers, 20 % of them invalid, are serializable', async () => {
    await server.reconciler.load({ apps: { any: { log: [], count: 0 } } });
    const base = '/config/apps/any';
    const applied: string[] = [];
    let counted = 0;
    const write = async (writer: number): Promise<void> => {
      for (let i = 0; i < 16; i++) {
        const token = `${writer}-${i}`;
        const invalid = (writer + i) % 5 === 0;
        if (i % 4 === 3) {
          const read = await server.ask(`${base}/count`);
          const response = await server.ask(`${base}/count`, {
            method: 'PATCH',
            json: (read.json as number) + 1,
            headers: { 'If-Match': read.headers.etag as string },
          });
          expect([200, 412]).to.include(response.status);
          if (response.status === 200) counted++;
          continue;
        }
        const response = await server.ask(`${base}/log`, { method: 'POST', json: invalid ? [token, 'refuse'] : token });
        expect(response.status).to.equal(invalid ? 500 : 200);
        if (!invalid) applied.push(token);
      }
    };
    await Promise.all(Array.from({ length: 64 }, (_, writer) => write(writer)));
    const { log, count } = server.reconciler.read(['apps', 'any']) as { log: string[]; count: number };
    expect(log.toSorted()).to.deep.equal(applied.toSorted());
    for (let writer = 0; writer < 64; writer++) {
      const own = log.filter((token) => token.startsWith(`${writer}-`));
      expect(own).to.deep.equal(own.toSorted((a, b) => Number(a.split('-')[1]) - Number(b.split('-')[1])));
    }
    expect(count).to.equal(counted);
    expect(counted).to.be.greaterThan(0);
  }).timeout(30_000);
});
