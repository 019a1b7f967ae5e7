import { expect } from 'chai';
import type { JsonObject } from '@sluice/base';
import { serve, withRoutes, type TestRequest } from '@sluice/testing';
import { decoded, decodedBytes, encode, packages, scripted, serveThrough, text, through } from './support.ts';

const respond = (options: JsonObject = {}): JsonObject => ({
  handler: 'static_response',
  body: text(2000),
  headers: { 'Content-Type': ['text/plain'] },
  ...options,
});
const accepting = (coding: string, more: Record<string, string> = {}): TestRequest => ({
  headers: { 'Accept-Encoding': coding, ...more },
});

describe('http.handlers.encode', () => {
  const negotiation: readonly [prefer: string[], accept: string, coding: string][] = [
    [[], 'gzip', 'gzip'],
    [[], 'br', 'br'],
    [[], 'zstd', 'zstd'],
    [[], 'gzip, br, zstd', 'zstd'],
    [[], 'gzip, br', 'br'],
    [['gzip', 'zstd', 'br'], 'gzip, br, zstd', 'gzip'],
    [['gzip'], 'gzip, br', 'gzip'],
    [['gzip'], 'br', 'br'],
    [[], 'gzip;q=1, zstd;q=0.5', 'gzip'],
    [[], 'gzip;q=0.001, zstd;q=0', 'gzip'],
    [[], 'GZIP', 'gzip'],
    [[], 'gzip;Q=0.8', 'gzip'],
    [[], ' , ,gzip ; q=1', 'gzip'],
    [[], 'gzip;q=abc', 'gzip'],
    [[], 'gzip;q=2', 'gzip'],
    [[], 'gzip;level=1', 'gzip'],
    [[], 'identity;q=1, gzip;q=0.5', 'gzip'],
    [[], '*', ''],
    [[], '*;q=0', ''],
    [[], 'identity', ''],
    [[], 'x-gzip, deflate', ''],
    [[], 'gzip;q=0', ''],
    [[], ';q=1', ''],
    [[], '', ''],
  ];
  for (const [prefer, accept, coding] of negotiation) {
    it(`encode uses ${coding || 'no encoding'} for ${JSON.stringify(accept)} with prefer ${JSON.stringify(prefer)}`, async () => {
      const response = await through([encode({ prefer }), respond()], accepting(accept));
      expect(response.headers.get('content-encoding') ?? '').to.equal(coding);
      expect(response.headers.get('vary')).to.equal('Accept-Encoding');
      expect(decoded(response)).to.equal(text(2000));
    });
  }

  const lengths: readonly [options: JsonObject, length: number, coded: boolean][] = [
    [{}, 512, false],
    [{}, 513, true],
    [{ minimum_length: 10 }, 10, false],
    [{ minimum_length: 10 }, 11, true],
    [{ minimum_length: 0 }, 512, false],
    [{ minimum_length: -1 }, 512, false],
    [{ minimum_length: 1 }, 0, false],
  ];
  for (const [options, length, coded] of lengths) {
    it(`encode ${coded ? 'encodes' : 'does not encode'} ${length} bytes with ${JSON.stringify(options)}`, async () => {
      const response = await through([encode(options), respond({ body: text(length) })], accepting('gzip'));
      expect(response.headers.has('content-encoding')).to.equal(coded);
      expect(response.headers.has('vary')).to.equal(coded);
      expect(decoded(response)).to.equal(text(length));
    });
  }

  const types: readonly [type: string, coded: boolean][] = [
    ['text/html; charset=utf-8', true],
    ['text/event-stream', true],
    ['application/json', true],
    ['application/ld+json', true],
    ['image/svg+xml', true],
    ['font/ttf', true],
    ['application/font-woff', true],
    ['application/wasm', true],
    ['application/problem+json', false],
    ['application/octet-stream', false],
    ['application/pdf', false],
    ['font/woff2', false],
    ['image/png', false],
    ['TEXT/HTML', false],
    ['unknown', false],
  ];
  for (const [type, coded] of types) {
    it(`encode ${coded ? 'encodes' : 'does not encode'} ${type}`, async () => {
      const response = await through([encode(), respond({ headers: { 'Content-Type': [type] } })], accepting('gzip'));
      expect(response.headers.has('content-encoding')).to.equal(coded);
      expect(response.headers.get('content-type')).to.equal(type);
    });
  }

  const events: readonly [type: string, coded: boolean][] = [
    ['text/event-stream', true],
    ['text/event-stream; charset=utf-8', true],
    ['text/event-streams', false],
    ['text/plain', false],
  ];
  for (const [type, coded] of events) {
    it(`encode ${coded ? 'encodes' : 'does not encode'} a short ${type}`, async () => {
      const body = 'data: 1\n\n';
      const short = respond({ headers: { 'Content-Type': [type] }, body });
      const response = await through([encode(), short], accepting('gzip'));
      expect(response.headers.has('content-encoding')).to.equal(coded);
      expect(decoded(response)).to.equal(body);
    });
  }

  const looks: readonly [body: string | Buffer, type: string][] = [
    [text(2000), 'text/plain; charset=utf-8'],
    [` <!doctype html>${text(2000)}`, 'text/html; charset=utf-8'],
    [`<?xml ${text(2000)}`, 'text/xml; charset=utf-8'],
    [Buffer.alloc(2000), 'application/octet-stream'],
    [Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(2000)]), 'image/png'],
  ];
  for (const [body, type] of looks) {
    it(`encode treats a body without a content type as ${type}`, async () => {
      const plain = scripted('plain', ({ response }) => response.end(body));
      const response = await through([encode(), plain], accepting('gzip'));
      expect(response.headers.get('content-type')).to.equal(type);
      expect(response.headers.has('content-encoding')).to.equal(type.startsWith('text/'));
    });
  }

  const matches: readonly [match: JsonObject, status: number, type: string, coded: boolean][] = [
    [{ status_code: [404, 5] }, 404, 'image/png', true],
    [{ status_code: [404, 5] }, 503, 'image/png', true],
    [{ status_code: [404, 5] }, 200, 'text/plain', false],
    [{ headers: { 'Content-Type': ['application/x-mine*'] } }, 200, 'application/x-mine; a=b', true],
    [{ headers: { 'Content-Type': ['application/x-mine*'] } }, 200, 'text/plain', false],
    [{ status_code: [200], headers: { 'Content-Type': ['a/b'] } }, 201, 'a/b', false],
  ];
  for (const [match, status, type, coded] of matches) {
    it(`encode ${coded ? 'encodes' : 'does not encode'} ${status} ${type} with match ${JSON.stringify(match)}`, async () => {
      const handlers = [encode({ match }), respond({ status_code: status, headers: { 'Content-Type': [type] } })];
      expect((await through(handlers, accepting('gzip'))).headers.has('content-encoding')).to.equal(coded);
    });
  }

  const etags: readonly [etag: string, sent: string][] = [
    ['"abc"', '"abc-gzip"'],
    ['W/"abc"', 'W/"abc"'],
    ['abc', 'abc-gzip"'],
    ['""', '"-gzip"'],
    ['"a-gzip"', '"a-gzip-gzip"'],
    ['', ''],
  ];
  for (const [etag, sent] of etags) {
    it(`encode sends the entity tag ${etag} as ${sent}`, async () => {
      const response = await through(
        [encode(), respond({ headers: { 'Content-Type': ['text/plain'], Etag: [etag] } })],
        accepting('gzip'),
      );
      expect(response.headers.get('etag')).to.equal(sent);
    });
  }

  const known: readonly [accept: string, field: string, seen: string][] = [
    ['gzip', '"a-gzip", W/"b-gzip"', '"a", W/"b"'],
    ['gzip', '"a-zstd"', '"a-zstd"'],
    ['gzip', '*', '*'],
    ['br', '"a-gzip"', '"a-gzip"'],
    ['', '"a-gzip"', '"a-gzip"'],
  ];
  for (const [accept, field, seen] of known) {
    it(`encode passes If-None-Match ${field} to handlers as ${seen} if the client accepts ${accept || 'nothing'}`, async () => {
      const show = respond({ body: '{http.request.header.If-None-Match} {http.request.header.If-Match}' });
      const response = await through(
        [encode(), show],
        accepting(accept, { 'If-None-Match': field, 'If-Match': field }),
      );
      expect(response.text).to.equal(`${seen} ${field}`);
    });
  }

  const untouched: readonly [why: string, headers: JsonObject, status: number][] = [
    ['is already encoded', { 'Content-Encoding': ['br'] }, 200],
    ['has the content encoding identity', { 'Content-Encoding': ['identity'] }, 200],
    ['has the directive no-transform', { 'Cache-Control': ['public, No-Transform'] }, 200],
    ['is partial content', {}, 206],
  ];
  for (const [why, headers, status] of untouched) {
    it(`encode does not encode a response that ${why}`, async () => {
      const own = { 'Content-Type': ['text/plain'], Etag: ['"e"'], ...headers };
      const response = await through([encode(), respond({ headers: own, status_code: status })], accepting('gzip'));
      expect(response.text).to.equal(text(2000));
      expect(response.headers.get('etag')).to.equal('"e"');
      expect(response.headers.has('vary')).to.equal(false);
    });
  }

  it('encode removes fields that no longer apply to the encoded body', async () => {
    const headers = {
      'Content-Type': ['text/plain'],
      'Content-Length': ['2000'],
      'Accept-Ranges': ['bytes'],
      Vary: ['Origin'],
    };
    const response = await through([encode(), respond({ headers })], accepting('gzip'));
    expect(response.headers.has('content-length')).to.equal(false);
    expect(response.headers.has('accept-ranges')).to.equal(false);
    expect(response.headers.all('vary')).to.deep.equal(['Origin', 'Accept-Encoding']);
    const varying = { 'Content-Type': ['text/plain'], Vary: ['accept-encoding, Origin'] };
    const known = await through([encode(), respond({ headers: varying })], accepting('gzip'));
    expect(known.headers.all('vary')).to.deep.equal(['accept-encoding, Origin']);
    const similar = { 'Content-Type': ['text/plain'], Vary: ['X-Accept-Encoding'] };
    const added = await through([encode(), respond({ headers: similar })], accepting('gzip'));
    expect(added.headers.all('vary')).to.deep.equal(['X-Accept-Encoding', 'Accept-Encoding']);
  });

  it('encode responds to HEAD with the fields of a GET response, and no body', async () => {
    const handlers = [encode(), respond({ headers: { 'Content-Type': ['text/plain'], Etag: ['"e"'] } })];
    const response = await through(handlers, { method: 'HEAD', headers: { 'Accept-Encoding': 'gzip' } });
    expect(response.text).to.equal('');
    expect(response.headers.get('content-encoding')).to.equal('gzip');
    expect(response.headers.get('etag')).to.equal('"e-gzip"');
  });

  const kept = Buffer.from([0x61, 0xff, 0x62]);
  const texts: readonly [what: string, body: string, bytes: Buffer][] = [
    ['of one byte a character', text(3000), Buffer.from(text(3000))],
    ['of several', `${text(2000)}žluťoučký 🐎`, Buffer.from(`${text(2000)}žluťoučký 🐎`)],
    ['that keep bytes', `${text(2000)}a\udcffb`, Buffer.concat([Buffer.from(text(2000)), kept])],
    ['that are long', text(60_000), Buffer.from(text(60_000))],
  ];
  for (const coding of ['gzip', 'zstd', 'br']) {
    it(`encode encodes many different bodies in sequence with ${coding}`, async () => {
      let next = '';
      const write = scripted('texts', ({ response }) => {
        response.headers.set('content-type', 'text/plain');
        response.end(next);
      });
      const server = await serveThrough([encode(), write]);
      for (const [what, body, bytes] of texts) {
        next = body;
        const response = await server.request(accepting(coding));
        expect(response.headers.get('content-encoding'), what).to.equal(coding);
        expect(decodedBytes(response).equals(bytes), what).to.equal(true);
      }
      await server.close();
    });
  }

  it('encode adds the Vary field and leaves the body unchanged if no encoders are configured', async () => {
    const response = await through([{ handler: 'encode' }, respond()], accepting('gzip'));
    expect(response.headers.get('vary')).to.equal('Accept-Encoding');
    expect(response.text).to.equal(text(2000));
  });

  it('nested encode handlers encode a response only once', async () => {
    const response = await through([encode(), encode({ encodings: { gzip: {} } }), respond()], accepting('gzip, zstd'));
    expect(response.headers.get('content-encoding')).to.equal('gzip');
    expect(decoded(response)).to.equal(text(2000));
  });

  it('encode does not encode the responses of outer error routes', async () => {
    const server = await serveThrough([encode(), { handler: 'error', status_code: 404 }], {
      errors: { routes: [{ handle: [respond()] }] },
    });
    const response = await server.request(accepting('gzip'));
    expect(response).to.include({ status: 404, text: text(2000) });
    expect(response.headers.has('content-encoding')).to.equal(false);
    await server.close();
  });

  const refused: readonly [options: JsonObject, message: RegExp][] = [
    [{ encodings: { nope: {} } }, /http\.encoders\.nope/],
    [{ encodings: { gzip: null } }, /encodings\.gzip.*null/],
    [{ encodings: { gzip: { level: 10 } } }, /level/],
    [{ encodings: { gzip: { level: -4 } } }, /level/],
    [{ encodings: { zstd: { level: 'x' } } }, /level/],
    [{ encodings: { br: { quality: 12 } } }, /quality/],
    [{ prefer: ['nope'] }, /prefer\[0\].*"nope" is not in encodings/],
    [{ prefer: ['gzip', 'gzip'] }, /prefer\[1\].*listed more than once/],
    [{ minimum_length: 'a' }, /minimum_length/],
  ];
  for (const [options, message] of refused) {
    it(`encode rejects ${JSON.stringify(options)}`, async () => {
      const config = withRoutes([{ handle: [encode(options)] }]);
      const error: unknown = await serve(config, { register: packages }).then(
        (server) => server.close(),
        (caught: unknown) => caught,
      );
      expect((error as Error | undefined)?.message).to.match(message);
    });
  }
});
