import fc from 'fast-check';
import { expect } from 'chai';
import type { TestResponse, TestServer } from '@sluice/testing';
import { parseRange } from '../../src/file_server/ranges.ts';
import { changedDate, fieldsOf, Site } from './site.ts';

const content = 'hello world';

describe('http.handlers.file_server ranges', () => {
  let site: Site;
  let server: TestServer;
  before(async () => {
    site = new Site({ 'a.txt': content, 'empty.txt': '', noext: content });
    server = await site.serve();
  });
  after(async () => {
    await server.close();
    site.remove();
  });
  const get = (range: string, path = '/a.txt'): Promise<TestResponse> =>
    server.request({ path, headers: { Range: range } });

  const table: readonly [range: string, status: number, where: string, text: string][] = [
    ['bytes=0-4', 206, 'bytes 0-4/11', 'hello'],
    ['bytes=6-', 206, 'bytes 6-10/11', 'world'],
    ['bytes=-5', 206, 'bytes 6-10/11', 'world'],
    ['bytes=-99', 206, 'bytes 0-10/11', content],
    ['bytes=10-99', 206, 'bytes 10-10/11', 'd'],
    ['bytes= 0 - 4 ', 206, 'bytes 0-4/11', 'hello'],
    ['bytes=00-04', 206, 'bytes 0-4/11', 'hello'],
    ['bytes=50-60,0-1', 206, 'bytes 0-1/11', 'he'],
    ['bytes=0-1,', 206, 'bytes 0-1/11', 'he'],
    ['bytes=', 200, '', content],
    ['bytes=,', 200, '', content],
    ['', 200, '', content],
    ['bytes=0-10,0-10', 200, '', content],
    [`bytes=${'0-0,'.repeat(2000)}`, 200, '', content],
    ['bytes=11-', 416, 'bytes */11', 'invalid range: failed to overlap\n'],
    ['bytes=50-,60-', 416, 'bytes */11', 'invalid range: failed to overlap\n'],
    ['bytes=50-x', 416, 'bytes */11', 'invalid range: failed to overlap\n'],
    ['bytes=5-2', 416, '', 'invalid range\n'],
    ['bytes=-', 416, '', 'invalid range\n'],
    ['bytes=--5', 416, '', 'invalid range\n'],
    ['bytes=a-b', 416, '', 'invalid range\n'],
    ['bytes=0-1,x', 416, '', 'invalid range\n'],
    ['bytes', 416, '', 'invalid range\n'],
    ['Bytes=0-4', 416, '', 'invalid range\n'],
    ['lines=0-4', 416, '', 'invalid range\n'],
    ['bytes=0x0-4', 416, '', 'invalid range\n'],
    ['bytes=0-99999999999999999999', 416, '', 'invalid range\n'],
    ['bytes=0-9223372036854775807', 206, 'bytes 0-10/11', content],
  ];
  for (const [range, status, where, text] of table) {
    it(`file_server returns ${status} for ${range.length > 60 ? `${range.slice(0, 60)}…` : range}`, async () => {
      const response = await get(range);
      expect(response).to.include({ status, text });
      expect(response.headers.get('content-range') ?? '').to.equal(where);
    });
  }

  it('a partial response has the same fields as the complete response', async () => {
    expect(fieldsOf(await get('bytes=0-4'))).to.deep.equal({
      vary: 'Accept-Encoding',
      etag: '"c5m8nwso7bwg-b"',
      'content-type': 'text/plain; charset=utf-8',
      'last-modified': changedDate,
      'content-range': 'bytes 0-4/11',
      'accept-ranges': 'bytes',
      'content-length': '5',
    });
  });

  it('a response to an unsatisfiable range contains the file size', async () => {
    expect(fieldsOf(await get('bytes=11-'))).to.deep.equal({
      vary: 'Accept-Encoding',
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-range': 'bytes */11',
    });
  });

  it('a range request for an empty file returns the whole file', async () => {
    expect(await get('bytes=0-', '/empty.txt')).to.include({ status: 200, text: '' });
  });

  it('a HEAD request with a range returns the header fields of the partial response', async () => {
    const response = await server.request({ path: '/a.txt', method: 'HEAD', headers: { Range: 'bytes=0-4' } });
    expect(response).to.include({ status: 206, text: '' });
    expect(fieldsOf(response)).to.include({ 'content-range': 'bytes 0-4/11', 'content-length': '5' });
  });

  it('multiple ranges are sent as a multipart response in the requested order', async () => {
    const response = await get('bytes=6-10,0-1', '/noext');
    const [, boundary] = /^multipart\/byteranges; boundary=([0-9a-f]{60})$/.exec(
      response.headers.get('content-type') ?? '',
    ) as unknown as [string, string];
    expect(response.status).to.equal(206);
    expect(response.text).to.equal(
      [
        `--${boundary}`,
        'Content-Range: bytes 6-10/11',
        'Content-Type: ',
        '',
        'world',
        `--${boundary}`,
        'Content-Range: bytes 0-1/11',
        'Content-Type: ',
        '',
        'he',
        `--${boundary}--`,
        '',
      ].join('\r\n'),
    );
    expect(response.headers.get('content-length')).to.equal(String(response.body.length));
  });

  it('a range response contains exactly the requested bytes, for any range', async () => {
    const position = fc.integer({ min: 0, max: 14 });
    const spec = fc.oneof(
      fc.tuple(position, position).map(([a, b]) => ({ first: Math.min(a, b), last: Math.max(a, b) as number | null })),
      position.map((first) => ({ first, last: null })),
      fc.integer({ min: 1, max: 14 }).map((suffix) => ({ suffix })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(spec, { minLength: 1, maxLength: 5 }), async (specs) => {
        const range = specs.map((s) => ('suffix' in s ? `-${s.suffix}` : `${s.first}-${s.last ?? ''}`)).join(',');
        // Computes the expected parts as specified in RFC 9110 §14.1.2.
        const parts = specs
          .map((s) =>
            'suffix' in s
              ? { start: Math.max(0, 11 - s.suffix), end: 10 }
              : { start: s.first, end: Math.min(s.last ?? 10, 10) },
          )
          .filter(({ start }) => start < 11);
        const texts = parts.map(({ start, end }) => content.slice(start, end + 1));
        const response = await get(`bytes=${range}`);
        if (parts.length === 0) expect(response.status).to.equal(416);
        else if (texts.join('').length > 11) expect(response).to.include({ status: 200, text: content });
        else if (parts.length === 1) expect(response).to.include({ status: 206, text: texts[0] });
        else {
          const boundary = /boundary=(.*)$/.exec(response.headers.get('content-type') ?? '')?.[1] ?? '?';
          const bodies = response.text.split(`--${boundary}`).slice(1, -1);
          expect(bodies.map((body) => body.slice(body.indexOf('\r\n\r\n') + 4, -2))).to.deep.equal(texts);
          expect(bodies.map((body) => /Content-Range: (.*)\r\n/.exec(body)?.[1])).to.deep.equal(
            parts.map(({ start, end }) => `bytes ${start}-${end}/11`),
          );
        }
      }),
      { numRuns: 500 },
    );
  });

  it('file_server parses a hostile Range field as fast as a long valid field', () => {
    const started = performance.now();
    for (const text of [' '.repeat(200_000), '-'.repeat(200_000), '0-0 '.repeat(50_000), `0-${'9'.repeat(200_000)}`]) {
      parseRange(`bytes=${text}`, 1000);
    }
    expect(performance.now() - started).to.be.below(2000);
  });
});
