import { fileName, hasWindowsMeaning, joinRoot, joinRootWithSlash } from '@sluice/base';
import { expect } from 'chai';
import fc from 'fast-check';
import { relative, sep } from 'node:path';

describe('joinRoot', () => {
  const cases: [string, string, string | null][] = [
    ['/srv', '/a/b.txt', '/srv/a/b.txt'],
    ['/srv/', '/a', '/srv/a'],
    ['/srv/../x//', '/a', '/x/a'],
    ['/srv', '/', '/srv'],
    ['/srv', '', '/srv'],
    ['/srv', '/a/', '/srv/a'],
    ['/srv', '/../../etc/passwd', '/srv/etc/passwd'],
    ['/srv', '../../etc/passwd', '/srv/etc/passwd'],
    ['/srv', '/a/..//../b', '/srv/b'],
    ['/srv', '/..', '/srv'],
    ['/srv', '/.hidden', '/srv/.hidden'],
    ['/', '/a', '/a'],
    ['/', '/', '/'],
    ['', '/a', 'a'],
    ['.', '/', '.'],
    ['./site', '/a', 'site/a'],
    ['..', '/a', '../a'],
    ['/srv', '/a\0b', null],
  ];
  for (const [root, path, file] of cases) {
    it(`joinRoot joins ${JSON.stringify(root)} and ${JSON.stringify(path)}`, function () {
      if (process.platform === 'win32') this.skip();
      expect(joinRoot(root, path)).to.equal(file);
    });
  }

  it('joinRoot never returns a path outside the root', () => {
    const hostile = fc.string({
      unit: fc.constantFrom(
        '/',
        '/',
        '..',
        '.',
        '../',
        '/..',
        'a',
        '\\',
        '..\\',
        '%2e%2e',
        '\0',
        'é',
        '\udcff',
        ':',
        'C:',
      ),
    });
    fc.assert(
      fc.property(fc.constantFrom('/srv/www', '/srv/www/', '/', '.', 'site', '../site'), hostile, (root, path) => {
        const file = joinRoot(root, path);
        if (file === null) return;
        const inside = relative(root, file);
        expect(inside.split(sep)[0]).to.not.equal('..');
        expect(file).to.not.include('\0');
      }),
      { numRuns: 2000 },
    );
  });

  // Attack in docs/security.md: CVE-2026-52844 and Windows backslashes.
  it('hasWindowsMeaning detects names that have a special meaning on Windows', () => {
    for (const path of [
      'a\\b',
      '..\\x',
      'C:/x',
      'a:stream',
      'con',
      'a/NUL',
      'nul.txt',
      'a/com1/b',
      'conin$',
      'a.',
      'a /b',
      'a./b',
    ]) {
      expect(hasWindowsMeaning(path), path).to.equal(true);
    }
    for (const path of ['', 'a/b.txt', 'console', 'icon', 'a/.b', 'com10', 'null'])
      expect(hasWindowsMeaning(path), path).to.equal(false);
  });

  it('fileName returns bytes for a name that is not valid UTF-8', () => {
    expect(fileName('/srv/é')).to.equal('/srv/é');
    expect(fileName('/a\udce9')).to.deep.equal(Buffer.from([0x2f, 0x61, 0xe9]));
  });
});

describe('joinRootWithSlash', () => {
  const cases: [string, string, string | null][] = [
    ['/srv', '/a/', '/srv/a/'],
    ['/srv', '/a', '/srv/a'],
    ['/srv', '/a/b/../', '/srv/a/'],
    ['/srv', '/', '/srv'],
    ['/srv', '/a/../', '/srv'],
    ['/srv', '', '/srv'],
    ['/srv', 'a\0/', null],
  ];
  for (const [root, path, file] of cases) {
    it(`joinRootWithSlash joins ${JSON.stringify(root)} and ${JSON.stringify(path)}`, function () {
      if (process.platform === 'win32') this.skip();
      expect(joinRootWithSlash(root, path)).to.equal(file);
    });
  }
});
