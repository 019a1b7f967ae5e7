import { compileGlob } from '@sluice/base';
import { expect } from 'chai';
import fc from 'fast-check';

describe('compileGlob', () => {
  const cases: [string, string[], string[]][] = [
    ['', [''], ['a']],
    ['abc', ['abc'], ['ab', 'abcd']],
    ['*', ['', 'abc', '.x'], ['a/b', '/']],
    ['**', ['abc'], ['a/b']],
    ['*c', ['abc', 'c', 'cc'], ['ab', 'a/c', 'cd']],
    ['a*', ['a', 'abc'], ['ab/c', 'ba']],
    ['a*/b', ['a/b', 'abc/b'], ['a/c/b', 'ab']],
    ['a*b*c*d*e*/f', ['axbxcxdxe/f', 'axbxcxdxexxx/f'], ['axbxcxdxe/xxx/f', 'axbxcxdxexxx/fff']],
    ['/*/c', ['/a/c', '//c'], ['/a/b/c']],
    ['*.php', ['x.php', '.php', 'a.php.php'], ['x.phps', 'a/x.php']],
    ['a?c', ['abc', 'aéc', 'a😀c'], ['ac', 'a/c', 'abbc']],
    ['[a-c]x', ['ax', 'cx'], ['dx', 'x']],
    ['[^a-c]x', ['dx', '/x', '😀x'], ['ax']],
    ['[a\\]]', ['a', ']'], ['\\']],
    ['[\\-x]', ['-', 'x'], ['a']],
    ['[b-a]', [], ['a', 'b']],
    ['[*]?', ['*a'], ['aa']],
    ['a\\*', ['a*'], ['ab', 'a\\*']],
    ['\\\\', ['\\'], ['\\\\']],
    ['[é-ü]*', ['ê', 'éx'], ['e', 'x']],
    ['*[0-9]*', ['a1', '1', '1a', 'a1b'], ['ab', '1/', 'a/1']],
    ['*[^a]b', ['xab/b', 'b/b'], ['aab']],
    ['{a,b}', ['{a,b}'], ['a']],
  ];
  for (const [pattern, yes, no] of cases) {
    it(`compileGlob matches ${JSON.stringify(pattern)} in the same way as Go`, () => {
      const match = compileGlob(pattern);
      for (const text of yes) expect(match(text), text).to.equal(true);
      for (const text of no) expect(match(text), text).to.equal(false);
    });
  }

  for (const pattern of ['[', 'a[', '[a', '[]', '[]a]', '[^]', '[a-]', '[-a]', '[a-', 'a\\', '[\\', 'b[a-]c', '*[']) {
    it(`compileGlob rejects ${JSON.stringify(pattern)}`, () => {
      expect(() => compileGlob(pattern))
        .to.throw(/^pattern /)
        .with.property('code', 'ERR_VALUE');
    });
  }

  it('compileGlob can ignore case', () => {
    const match = compileGlob('/ÉaX*[b-d]', { ignoreCase: true });
    expect(match('/éAxyC')).to.equal(true);
    expect(compileGlob('/A')('/a')).to.equal(false);
  });

  it('compileGlob agrees with an equivalent regular expression if no character class contains a slash', () => {
    const piece = fc.constantFrom('a', 'b', '/', '*', '?', '[ab]', '[^a/]', '.', 'é');
    const source: Record<string, string> = { '*': '[^/]*', '?': '[^/]', '.': '\\.' };
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 8 }),
        fc.string({ unit: fc.constantFrom('a', 'b', '/', '.', 'é', '😀') }),
        (pieces, text) => {
          const expected = new RegExp(`^${pieces.map((item) => source[item] ?? item).join('')}$`, 'u').test(text);
          expect(compileGlob(pieces.join(''))(text)).to.equal(expected);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('compileGlob matches adversarial patterns in a short time', () => {
    const match = compileGlob(`${'*a'.repeat(100)}*[b]`);
    const begin = process.threadCpuUsage();
    expect(match('a'.repeat(50_000))).to.equal(false);
    expect(process.threadCpuUsage(begin).user / 1000).to.be.below(1000);
  });
});
