import { cleanPath, cleanRequestPath, pathExtension, unescapePath, withoutDotSegments } from '@sluice/base';
import { expect } from 'chai';
import fc from 'fast-check';
import { posix } from 'node:path';

const pathText = fc.string({ unit: fc.constantFrom('/', '/', '.', '..', 'a', 'b', '...', '/../', '\\', '%2e') });

describe('path cleaning functions', () => {
  const cases: [string, string, string][] = [
    // Request path, cleaned path, and path cleaned without merging slashes.
    ['/', '/', '/'],
    ['', '/', '/'],
    ['/a/b', '/a/b', '/a/b'],
    ['/a/b/', '/a/b/', '/a/b/'],
    ['/.well-known/x', '/.well-known/x', '/.well-known/x'],
    ['/..a/...', '/..a/...', '/..a/...'],
    ['/a//b', '/a/b', '/a//b'],
    ['//', '/', '//'],
    ['///', '/', '///'],
    ['/a//', '/a/', '/a//'],
    ['/a//.', '/a', '/a/'],
    ['/a//../b', '/b', '/a/b'],
    ['/a//c/../b', '/a/b', '/a//b'],
    ['/x/..//a//b', '/a/b', '//a//b'],
    ['/../../a', '/a', '/a'],
    ['/a/..', '/', '/'],
    ['/a/../', '/', '/'],
    ['/a/b/..', '/a', '/a'],
    ['/a/b/../', '/a/', '/a/'],
    ['/a/.', '/a', '/a'],
    ['/./a', '/a', '/a'],
    ['a/b', '/a/b', '/a/b'],
    ['..', '/', '/'],
  ];
  for (const [path, merged, unmerged] of cases) {
    it(`cleanRequestPath cleans ${JSON.stringify(path)}`, () => {
      expect(cleanRequestPath(path)).to.equal(merged);
      expect(cleanRequestPath(path, false)).to.equal(unmerged);
    });
  }

  const cut: readonly (readonly [rawPath: string, without: string])[] = [
    ['/a/b', '/a/b'],
    ['/a%2Fb%21', '/a%2Fb%21'],
    ['/a.b/..c/...', '/a.b/..c/...'],
    ['/../a', '/a'],
    ['/a/./b', '/a/b'],
    ['/a/%2E%2e/b', '/b'],
    ['/a%2f..%2fb', '/b'],
    ['/..%2fb%20c/', '/b%20c/'],
    ['/a%2f%2fb/%2e/c', '/a//b/c'],
    ['/%2e', '/'],
    ['/a/%2e%2e/', '/'],
    ['/a%252f..', '/a%252f..'],
  ];
  for (const [rawPath, without] of cut) {
    it(`withoutDotSegments removes the dot segments of ${rawPath}`, () =>
      expect(withoutDotSegments(rawPath)).to.equal(without));
  }

  // Attack in docs/security.md: `/mount../document` with `strip_path_prefix`.
  it('withoutDotSegments removes dot segments in any encoding', () => {
    const escaped = fc.string({ unit: fc.constantFrom('/', '.', '..', '%2e', '%2F', 'a', '%25', '%20') });
    fc.assert(
      fc.property(escaped, (text) => {
        const path = unescapePath(withoutDotSegments(`/${text}`));
        return path.startsWith('/') && !/\/\.{1,2}(?:\/|$)/.test(path);
      }),
    );
  });

  it('cleanPath agrees with path.normalize, except for the trailing slash', () => {
    expect(cleanPath('')).to.equal('.');
    expect(cleanPath('a/../..')).to.equal('..');
    fc.assert(
      fc.property(pathText, (path) => {
        const normal = posix.normalize(path);
        const expected = normal.length > 1 && normal.endsWith('/') ? normal.slice(0, -1) : normal;
        return cleanPath(path) === expected;
      }),
    );
  });

  it('cleanPath is idempotent', () => {
    fc.assert(
      fc.property(pathText, fc.boolean(), (path, merge) => {
        const cleaned = cleanRequestPath(path, merge);
        expect(cleanRequestPath(cleaned, merge)).to.equal(cleaned);
        expect(cleaned)
          .to.match(/^\//)
          .and.not.match(/\/\.{1,2}(?:\/|$)/);
      }),
    );
  });

  it('pathExtension returns the extension of the last segment', () => {
    const extensions = ['/a.b/c', '/a/b.tar.gz', '/a.', '.env', '/a/.x/'].map(pathExtension);
    expect(extensions).to.deep.equal(['', '.gz', '.', '.env', '']);
  });
});
