import fc from 'fast-check';
import { expect } from 'chai';
import type { TestServer } from '@sluice/testing';
import { parseHttpDate } from '../../src/file_server/http-date.ts';
import { changed, changedDate, fieldsOf, Site } from './site.ts';

const etag = '"c5m8nwso7bwg-b"';
const dateAt = (seconds: number): string => new Date((changed + seconds) * 1000).toUTCString();

describe('http.handlers.file_server conditional requests', () => {
  let site: Site;
  let server: TestServer;
  before(async () => {
    site = new Site({ 'a.txt': 'hello world' });
    server = await site.serve();
  });
  after(async () => {
    await server.close();
    site.remove();
  });
  const statusFor = async (headers: Record<string, string>): Promise<number> =>
    (await server.request({ path: '/a.txt', headers })).status;

  const table: readonly [name: string, value: string, status: number][] = [
    ['If-None-Match', etag, 304],
    ['If-None-Match', `W/${etag}`, 304],
    ['If-None-Match', '*', 304],
    ['If-None-Match', `"x", ${etag}`, 304],
    ['If-None-Match', `,${etag}`, 304],
    ['If-None-Match', ` ${etag} `, 304],
    ['If-None-Match', `${etag}garbage`, 304],
    ['If-None-Match', `w/${etag}`, 200],
    ['If-None-Match', '"x"', 200],
    ['If-None-Match', '', 200],
    ['If-None-Match', etag.slice(0, -1), 200],
    ['If-None-Match', etag.slice(1, -1), 200],
    ['If-Match', etag, 200],
    ['If-Match', '*', 200],
    ['If-Match', `"x",${etag}`, 200],
    ['If-Match', `W/${etag}`, 412],
    ['If-Match', '"x"', 412],
    ['If-Match', etag.slice(1, -1), 412],
    ['If-Match', '', 200],
    ['If-Modified-Since', changedDate, 304],
    ['If-Modified-Since', dateAt(1), 304],
    ['If-Modified-Since', dateAt(-1), 200],
    ['If-Modified-Since', 'Sunday, 13-Sep-20 12:26:40 GMT', 304],
    ['If-Modified-Since', 'Sun Sep 13 12:26:40 2020', 304],
    ['If-Modified-Since', 'Sun, 13 Sep 2020 14:26:40 +0200', 200],
    ['If-Modified-Since', '1600000000', 200],
    ['If-Modified-Since', 'garbage', 200],
    ['If-Unmodified-Since', changedDate, 200],
    ['If-Unmodified-Since', dateAt(-1), 412],
    ['If-Unmodified-Since', dateAt(1), 200],
    ['If-Unmodified-Since', 'garbage', 200],
  ];
  for (const [name, value, status] of table) {
    it(`file_server returns ${status} for ${name}: ${value}`, async () => {
      expect(await statusFor({ [name]: value })).to.equal(status);
    });
  }

  it('file_server includes the required fields in 304 and 412 responses', async () => {
    const known = await server.request({ path: '/a.txt', headers: { 'If-None-Match': etag } });
    expect(known.text).to.equal('');
    expect(fieldsOf(known)).to.deep.equal({ etag, vary: 'Accept-Encoding' });
    const failed = await server.request({ path: '/a.txt', headers: { 'If-Match': '"x"' } });
    expect(failed.text).to.equal('');
    expect(fieldsOf(failed)).to.deep.equal({
      etag,
      vary: 'Accept-Encoding',
      'content-type': 'text/plain; charset=utf-8',
      'last-modified': changedDate,
      'content-length': '0',
    });
  });

  const ifRange: readonly [value: string, status: number][] = [
    [etag, 206],
    [changedDate, 206],
    ['', 206],
    ['"x"', 200],
    [`W/${etag}`, 200],
    [dateAt(1), 200],
    [dateAt(-1), 200],
    ['*', 200],
    ['garbage', 200],
  ];
  for (const [value, status] of ifRange) {
    it(`file_server returns ${status} for a range with If-Range: ${value}`, async () => {
      expect(await statusFor({ Range: 'bytes=0-1', 'If-Range': value })).to.equal(status);
    });
  }

  interface Tag {
    readonly same: boolean;
    readonly weak: boolean;
  }
  const tags = fc.option(
    fc.oneof(
      fc.constant('*' as const),
      fc.array(fc.record({ same: fc.boolean(), weak: fc.boolean() }), { maxLength: 4 }),
    ),
    { nil: null },
  );
  const seconds = fc.option(fc.integer({ min: -2, max: 2 }), { nil: null });
  const textOf = (list: '*' | readonly Tag[]): string =>
    list === '*'
      ? '*'
      : list.map(({ same, weak }, i) => `${weak ? 'W/' : ''}${same ? etag : `"other${i}"`}`).join(', ');

  /** A reference implementation of RFC 9110 §13.2.2 that operates on parsed fields. */
  function expected(
    match: '*' | readonly Tag[] | null,
    unmodified: number | null,
    noneMatch: '*' | readonly Tag[] | null,
    modified: number | null,
  ): number {
    const present = (list: '*' | readonly Tag[] | null): list is '*' | readonly Tag[] =>
      list !== null && list.length > 0;
    if (present(match)) {
      if (match !== '*' && !match.some(({ same, weak }) => same && !weak)) return 412;
    } else if (unmodified !== null && unmodified < 0) return 412;
    if (present(noneMatch)) {
      if (noneMatch === '*' || noneMatch.some(({ same }) => same)) return 304;
    } else if (modified !== null && modified >= 0) return 304;
    return 200;
  }

  it('file_server evaluates preconditions in the order of RFC 9110 §13.2.2 in every combination', async () => {
    await fc.assert(
      fc.asyncProperty(tags, seconds, tags, seconds, async (match, unmodified, noneMatch, modified) => {
        const headers: Record<string, string> = {};
        if (match !== null) headers['If-Match'] = textOf(match);
        if (unmodified !== null) headers['If-Unmodified-Since'] = dateAt(unmodified);
        if (noneMatch !== null) headers['If-None-Match'] = textOf(noneMatch);
        if (modified !== null) headers['If-Modified-Since'] = dateAt(modified);
        expect(await statusFor(headers)).to.equal(expected(match, unmodified, noneMatch, modified));
      }),
      { numRuns: 500 },
    );
  });

  it('file_server does not return a server error for any values of conditional header fields', async () => {
    const name = fc.constantFrom('If-Match', 'If-None-Match', 'If-Modified-Since', 'If-Range', 'Range');
    const value = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({ unit: fc.constantFrom('"', 'W/', '*', ',', '-', '=', 'bytes', ' ', '0', '9') }),
    );
    await fc.assert(
      fc.asyncProperty(name, value, async (field, text) => {
        expect(await statusFor({ [field]: text, ...(field === 'If-Range' ? { Range: 'bytes=0-1' } : {}) })).to.be.oneOf(
          [200, 206, 304, 412, 416],
        );
      }),
      { numRuns: 500 },
    );
  });
});

describe('http.handlers.file_server dates', () => {
  it('parseHttpDate parses dates in each standard format', () => {
    fc.assert(
      fc.property(fc.integer({ min: -62_135_596_800, max: 253_402_300_799 }), (time) => {
        const date = new Date(time * 1000);
        expect(parseHttpDate(date.toUTCString())).to.equal(time * 1000);
      }),
    );
  });

  const dates: readonly [text: string, time: string | null][] = [
    ['Sunday, 06-Nov-94 08:49:37 GMT', '1994-11-06T08:49:37Z'],
    ['Sun Nov  6 08:49:37 1994', '1994-11-06T08:49:37Z'],
    ['Sun, 06 Nov 1994 08:49:60 GMT', '1994-11-06T08:50:00Z'],
    ['Sun, 31 Feb 1994 08:49:37 GMT', null],
    ['Sun, 06 Xyz 1994 08:49:37 GMT', null],
    ['Sun, 06 ovD 1994 08:49:37 GMT', null],
    ['Sun, 06 Nov 1994 24:00:00 GMT', null],
    ['Sun, 06 Nov 1994 08:60:00 GMT', null],
    ['Sun, 6 Nov 1994 08:49:37 GMT', null],
    ['', null],
  ];
  for (const [text, time] of dates) {
    it(`parseHttpDate parses ${JSON.stringify(text)} as ${time}`, () => {
      expect(parseHttpDate(text)).to.deep.equal(time === null ? Number.NaN : Date.parse(time));
    });
  }
});
