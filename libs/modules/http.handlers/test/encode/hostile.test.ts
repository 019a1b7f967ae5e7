import fc from 'fast-check';
import { expect } from 'chai';
import type { TestServer } from '@sluice/testing';
import { decoded, encode, scripted, serveThrough, text } from './support.ts';

const content = text(2000);

describe('http.handlers.encode with hostile requests and empty responses', () => {
  let server: TestServer;
  before(async () => {
    const response = { handler: 'static_response', headers: { 'Content-Type': ['text/plain'] }, body: content };
    server = await serveThrough([encode(), response]);
  });
  after(() => server.close());

  /**
   * Reports whether a field rejects a coding, according to the rules that RFC 9110 §12.5.3 and Caddy share. Names are case-insensitive and
   * must have a weight above 0.
   */
  function refuses(field: string, coding: string): boolean {
    const mentioned = field.split(',').map((element) => element.split(';').map((part) => part.trim().toLowerCase()));
    const own = mentioned.filter(([name]) => name === coding);
    return own.every((parts) => parts.slice(1).includes('q=0'));
  }

  it('encode accepts any Accept-Encoding value, and uses only permitted codings @long', async () => {
    const token = fc.constantFrom(
      'gzip',
      'br',
      'zstd',
      'GZip',
      '*',
      'identity',
      'deflate',
      '',
      '"gzip"',
      'gzip gzip',
      '\u00ff',
    );
    const weight = fc.constantFrom(
      '',
      ';q=0',
      ';q=1',
      ';q=0.5',
      '; q=0.001',
      ';q=',
      ';q=-1',
      ';q=1e99',
      ';q=NaN',
      ';;',
      ';q="1"',
    );
    const list = fc
      .array(fc.tuple(token, weight), { maxLength: 6 })
      .map((all) => all.map((each) => each.join('')).join(','));
    const field = fc.oneof(list, fc.string({ unit: 'binary', maxLength: 40 }), fc.constant('gzip,'.repeat(20_000)));
    await fc.assert(
      fc.asyncProperty(field, async (accepted) => {
        const response = await server.request({ headers: { 'Accept-Encoding': accepted } });
        expect(response.status).to.equal(200);
        expect(decoded(response)).to.equal(content);
        const coding = response.headers.get('content-encoding');
        if (coding !== undefined) expect(refuses(accepted, coding), `${accepted} -> ${coding}`).to.equal(false);
        expect(response.headers.get('vary')).to.equal('Accept-Encoding');
      }),
      { numRuns: 500 },
    );
  });

  for (const coding of ['gzip', 'br', 'zstd']) {
    it(`encode produces a valid body from an empty body (${coding})`, async () => {
      const nothing = scripted(`nothing-${coding}`, ({ response }) => {
        response.headers.set('content-type', 'text/plain');
        response.writeHead(200);
        response.flush();
        response.end();
      });
      const empty = await serveThrough([encode({ minimum_length: 1 }), nothing]);
      for (const method of ['GET', 'HEAD']) {
        const response = await empty.request({ method, headers: { 'Accept-Encoding': coding } });
        expect(response.status).to.equal(200);
        if (response.body.length > 0 || response.headers.get('content-encoding') === undefined)
          expect(decoded(response)).to.equal('');
      }
      await empty.close();
    });
  }
});
