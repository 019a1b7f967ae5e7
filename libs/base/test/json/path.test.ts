import { expect } from 'chai';
import fc from 'fast-check';
import {
  formatPointer,
  formatUrlPath,
  formatWhere,
  parseWhere,
  maxDepth,
  parseIndex,
  parsePointer,
  parseUrlPath,
} from '@sluice/base';

const segments = fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { maxLength: 5 });

describe('configuration path functions', () => {
  const urls: [url: string, path: string[]][] = [
    ['', []],
    ['/', []],
    ['/apps/http/', ['apps', 'http']],
    ['/a%2Fb/c', ['a/b', 'c']],
    ['/a%20b/%22/%C3%BC/%252F/%2E%2E', ['a b', '"', 'ü', '%2F', '..']],
    ['/a+b/~0/@id', ['a+b', '~0', '@id']],
  ];
  for (const [url, path] of urls) {
    it(`parseUrlPath parses ${JSON.stringify(url)}`, () => expect(parseUrlPath(url)).to.deep.equal(path));
  }

  it('the output of formatUrlPath round-trips, and contains no control characters and no unescaped separators within a segment', () => {
    fc.assert(
      fc.property(segments, (path) => {
        const url = formatUrlPath(path);
        expect(parseUrlPath(url)).to.deep.equal(path.map((segment) => segment.toWellFormed()));
        expect(url).to.match(/^[\x21-\x7e]*$/);
        // Clients that follow the URL standard treat "." and ".." as dot segments, even if they are escaped.
        if (!path.some((segment) => segment === '.' || segment === '..'))
          expect(new URL(url, 'http://x').pathname).to.equal(url === '' ? '/' : url);
      }),
      { examples: [[['.']], [['a', '..', '...']]] },
    );
    expect(formatUrlPath(['apps', 'http', 'servers', 's_1', '@id'])).to.equal('/apps/http/servers/s_1/@id');
  });

  for (const url of ['/%zz', '/%', '/%ff', '/%c3']) {
    it(`parseUrlPath rejects ${url}`, () =>
      expect(() => parseUrlPath(url))
        .to.throw('percent-encoded')
        .with.property('status', 400));
  }

  it('parseUrlPath and parsePointer limit the depth of paths', () => {
    expect(() => parseUrlPath('/a'.repeat(maxDepth + 1))).to.throw('deeper than');
    expect(() => parsePointer('/a'.repeat(maxDepth + 1))).to.throw('deeper than');
    expect(parseUrlPath('/a'.repeat(maxDepth))).to.have.length(maxDepth);
  });

  it('formatPointer round-trips JSON Pointers', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 5 }), (path) => {
        expect(parsePointer(formatPointer(path))).to.deep.equal(path);
      }),
    );
    expect(parsePointer('/a~1b/m~0n/~01')).to.deep.equal(['a/b', 'm~n', '~1']);
  });

  for (const pointer of ['a', 'a/b', '/~', '/~2', '/a~/b']) {
    it(`parsePointer rejects ${pointer}`, () =>
      expect(() => parsePointer(pointer))
        .to.throw('JSON Pointer')
        .with.property('status', 400));
  }

  it('formatWhere formats paths for messages', () => {
    expect(formatWhere(['apps', 'http', 'servers', 's', 'routes', 3, 'a b', '@id', '0'])).to.equal(
      'apps.http.servers.s.routes[3]["a b"].@id[0]',
    );
  });

  it('parseWhere parses the output of formatWhere, and nothing else', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (path) => {
        expect(parseWhere(formatWhere(path))).to.deep.equal(path);
      }),
    );
    for (const text of ['a b', 'a..b', 'a[', 'a["x]', 'x: y']) expect(parseWhere(text), text).to.equal(null);
  });

  it('parseIndex accepts only canonical array indexes', () => {
    const read = ['0', '7', '10', '01', '+1', '-0', '-1', '1e0', 'x', '', '1.0', ' 1', '99999999999'].map(parseIndex);
    expect(read).to.deep.equal([0, 7, 10, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1]);
  });
});
