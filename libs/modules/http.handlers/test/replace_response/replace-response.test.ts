import { expect } from 'chai';
import type { JsonObject } from '@sluice/base';
import { asCaddyfile, fromCaddyfile, request, withRoutes, type TestRequest, type TestResponse } from '@sluice/testing';
import { packages, scripted } from '../encode/support.ts';

const replace = (replacements: JsonObject[], more: JsonObject = {}): JsonObject => ({
  handler: 'replace_response',
  replacements,
  ...more,
});
/** Sends one request through the given handlers. */
const through = (
  handlers: JsonObject[],
  what: TestRequest | string = '/',
  server: JsonObject = {},
): Promise<TestResponse> => request(withRoutes([{ handle: handlers }], server), what, { register: packages });

const fooToBar = { search: 'Foo', replace: 'Barbar' };

/** Returns a handler that responds with the given header fields and body chunks. */
function responding(name: string, fields: Readonly<Record<string, string>>, ...pieces: readonly string[]): JsonObject {
  return scripted(name, ({ response }) => {
    for (const [field, value] of Object.entries(fields)) response.headers.set(field, value);
    for (const piece of pieces) {
      response.write(Buffer.from(piece));
      response.flush();
    }
    response.end();
  });
}

describe('http.handlers.replace_response', () => {
  it('replace_response applies replacements in order, and sets the resulting Content-Length', async () => {
    const all = [
      { search: 'Foo', replace: 'Bar' },
      { search: 'Bar', replace: 'Baz' },
      { search_regexp: 'z(.)$', replace: '[$1]' },
    ];
    const response = await through([replace(all), responding('all', { 'content-length': '9' }, 'Foo Fo', 'o z!')]);
    expect(response).to.include({ status: 200, text: 'Baz Baz [!]' });
    expect(response.headers.get('content-length')).to.equal('11');
  });

  it('replace_response expands placeholders in the search and replacement strings', async () => {
    const search = { search: '{http.request.uri.query.s}', replace: '{http.request.method}' };
    const response = await through([replace([search]), responding('query', {}, 'a b {c}')], '/?s=b');
    expect(response.text).to.equal('a GET {c}');
    expect((await through([replace([search]), responding('none', {}, 'a b')], '/?s=')).text).to.equal('a b');
  });

  it('replace_response sends completed output immediately in stream mode', async () => {
    const written: string[] = [];
    const handler = scripted('pieces', ({ response }) => {
      const { inner } = response as unknown as { inner: { write(chunk: Buffer): boolean } };
      const write = inner.write.bind(inner);
      inner.write = (chunk) => {
        written.push(chunk.toString());
        return write(chunk);
      };
      response.headers.set('content-length', '13');
      for (const piece of ['x Fo', 'o y F', 'o F', 'oo']) response.write(Buffer.from(piece));
    });
    const response = await through([replace([fooToBar], { stream: true }), handler]);
    expect(response.text).to.equal('x Barbar y Fo Barbar');
    expect(response.headers.has('content-length')).to.equal(false);
    expect(written.filter((each) => each !== '')).to.deep.equal(['x ', 'Barbar y ', 'Fo ', 'Barbar']);
  });

  it('replace_response sends each event of an event stream immediately', async () => {
    const seen: string[] = [];
    const handler = scripted('events', ({ response }) => {
      const { inner } = response as unknown as { inner: { write(chunk: Buffer): boolean } };
      const write = inner.write.bind(inner);
      inner.write = (chunk) => {
        seen.push(chunk.toString());
        return write(chunk);
      };
      response.headers.set('content-type', 'text/event-stream');
      for (const data of ['Foo', 'Fo']) {
        response.write(`data: ${data}\n\n`);
        response.flush();
        expect(seen.join('')).to.match(/\n\n$/);
      }
    });
    const patterns = [fooToBar, { search_regexp: 'o+', replace: '0' }];
    expect((await through([replace(patterns), handler])).text).to.equal('data: Barbar\n\ndata: F0\n\n');
  });

  for (const [title, fields] of [
    ['is compressed', { 'content-encoding': 'br' }],
    ['is partial content', { 'content-range': 'bytes 0-5/10' }],
    ['is gRPC', { 'content-type': 'application/grpc+proto' }],
    ['does not match', { 'content-type': 'image/png' }],
  ] as const)
    it(`replace_response does not change a response that ${title}`, async () => {
      const match = { headers: { 'Content-Type': ['text/*', 'application/*'] } };
      const all = { 'content-type': 'text/plain', etag: '"x"', 'accept-ranges': 'bytes', ...fields };
      const response = await through([replace([fooToBar], { match }), responding(title, all, 'Foo')]);
      expect(response.text).to.equal('Foo');
      expect(response.headers.get('etag')).to.equal('"x"');
      expect(response.headers.get('accept-ranges')).to.equal('bytes');
    });

  it('replace_response weakens the entity tag, and removes fields that describe the original bytes', async () => {
    const fields = { etag: '"x"', 'accept-ranges': 'bytes', 'content-md5': 'x', 'last-modified': 'then' };
    const handlers = [replace([fooToBar]), responding('fields', fields, 'Foo')];
    for (const method of ['GET', 'HEAD']) {
      const { headers } = await through(handlers, { method });
      expect(headers.get('etag')).to.equal('W/"x"');
      expect(headers.get('last-modified')).to.equal('then');
      for (const name of ['accept-ranges', 'content-md5']) expect(headers.has(name), name).to.equal(false);
    }
  });

  it('replace_response removes Range from requests, because byte offsets would differ', async () => {
    const handler = scripted('range', ({ headers, response }) => response.end(`Foo ${headers.get('range') ?? 'none'}`));
    const response = await through([replace([fooToBar]), handler], {
      headers: { Range: 'bytes=0-1', 'If-Range': '"x"' },
    });
    expect(response).to.include({ status: 200, text: 'Barbar none' });
  });

  it('replace_response does not change responses of error routes', async () => {
    const errors = { errors: { routes: [{ handle: [{ handler: 'static_response', body: 'Foo' }] }] } };
    const failing = { handler: 'error', status_code: 404 };
    expect((await through([replace([fooToBar]), failing], '/', errors)).text).to.equal('Foo');
  });

  it('replace_response streams bodies over 16 MiB', async () => {
    const piece = 'Foo'.padEnd(1024 * 1024, '.');
    const pieces = Array.from({ length: 17 }, () => piece);
    const response = await through([replace([fooToBar]), responding('long', {}, ...pieces, 'Foo')]);
    expect(response.body.length).to.equal(17 * (piece.length + 3) + 6);
    expect(response.headers.has('content-length')).to.equal(false);
  });

  for (const [replacement, message] of [
    [{ replace: 'x' }, 'replacements[0]: requires search or search_regexp'],
    [{ search: 'a', search_regexp: 'b' }, 'replacements[0]: has both search and search_regexp'],
    [{ search_regexp: '(' }, 'replacements[0].search_regexp: regular expression "("'],
  ] as const)
    it(`replace_response rejects ${JSON.stringify(replacement)}`, async () => {
      let error: unknown = null;
      await through([replace([replacement])]).catch((caught: unknown) => (error = caught));
      expect(String(error)).to.contain(message);
    });
});

describe('replace directive', () => {
  const inRoute = (lines: string): string => `:80 {\n\t${lines.replaceAll('\n', '\n\t')}\n}\n`;
  for (const [lines, options] of [
    ['replace Foo Bar', { replacements: [{ search: 'Foo', replace: 'Bar' }] }],
    ['replace re a(b) $1', { replacements: [{ search_regexp: 'a(b)', replace: '$1' }] }],
    ['replace Foo ""', { replacements: [{ search: 'Foo', replace: '' }] }],
    ['replace stream', { stream: true }],
    ['replace', {}],
    [
      'replace stream {\n\tmatch {\n\t\tstatus 2xx 404\n\t}\n\tFoo Bar\n\tre d e\n}',
      {
        stream: true,
        match: { status_code: [2, 404] },
        replacements: [
          { search: 'Foo', replace: 'Bar' },
          { search_regexp: 'd', replace: 'e' },
        ],
      },
    ],
  ] as const)
    it(`the replace directive adapts to JSON and is converted back: ${JSON.stringify(lines)}`, async () => {
      const document = await fromCaddyfile(inRoute(lines));
      const expected = { handler: 'replace_response', ...options };
      expect(JSON.stringify(document)).to.contain('replace_response');
      const { apps } = document as { apps: { http: { servers: { srv0: { routes: { handle: unknown[] }[] } } } } };
      expect(apps.http.servers.srv0.routes[0]?.handle).to.deep.equal([expected]);
      expect(await fromCaddyfile((await asCaddyfile(document)).text)).to.deep.equal(document);
    });

  for (const [lines, message] of [
    ['replace a', "wrong argument count or unexpected line ending after 'a'"],
    ['replace a b c', "wrong argument count or unexpected line ending after 'c'"],
    ['replace re a', "wrong argument count or unexpected line ending after 'a'"],
    ['replace stream a b', "wrong argument count or unexpected line ending after 'a'"],
    ['replace {\n\ta\n}', "wrong argument count or unexpected line ending after 'a'"],
    ['replace {\n\tre a b c\n}', 'wrong argument count or unexpected line ending after'],
    ['replace stream {\n\tstream\n}', 'streaming already enabled'],
    ['replace {\n\tmatch status 200\n\tmatch status 404\n}', 'match block already specified'],
  ] as const)
    it(`the replace directive rejects ${JSON.stringify(lines)}`, async () => {
      const error = await fromCaddyfile(inRoute(lines)).then(
        () => null,
        (caught: unknown) => caught,
      );
      expect(String(error)).to.contain(message);
    });
});
