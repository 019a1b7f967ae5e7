import { expect } from 'chai';
import fc from 'fast-check';
import { makeExchange } from '@sluice/testing';
import { pathMatcher } from '../../src/path/index.ts';
import { expectMatches, refusal } from '../matching.ts';
import { naiveMatch } from './naive.ts';

describe('http.matchers.path', () => {
  const table: [patterns: string[], yes: string[], no: string[]][] = [
    [['/a'], ['/a', '/A', '/a?x', '//a', '/a/.', '/./a', '/%61', '/x/../a', '/x/%2e%2e/a'], ['/a/', '/ab', '/a%00']],
    [['/ABC/Def*'], ['/abc/def', '/ABC/DEFX'], ['/abc']],
    [['*'], ['/', '/x/y', '/%2F'], []],
    [['/*'], ['/', '/x/y'], []],
    [['/a*'], ['/a', '/ab', '/a/b'], ['/b']],
    [['/a/*'], ['/a/', '/a//', '/A/b', '/a%2Fb'], ['/a', '/ab', '/a/../b', '/a/%2e%2e/b']],
    [['*/end'], ['/x/end', '/end', '/x/END'], ['/x/end/', '/xend']],
    [['*mid*'], ['/a/mid/b', '/xMIDy'], ['/mi/d']],
    [['/a*c/d'], ['/abc/d', '/ac/d'], ['/ab/c/d', '/abc/d/']],
    [['/*/x/*/y'], ['/a/x/b/y'], ['/a/x/y', '/a/b/x/c/y']],
    [['/a/*/c*'], ['/a/b/c', '/a/b/cd'], ['/a/b/c/d']],
    [
      ['/a?c', '/[x-z]z'],
      ['/abc', '/a%3Fc', '/Xz'],
      ['/ac', '/az'],
    ],
    [['/a/*/['], [], ['/a/b/[']],
    [['a', 'x/*', ''], [], ['/a', '/x/y', '/']],
    [[], [], ['/']],
    [['/a/'], ['/a/', '/a//', '/a/b/../', '/a/./'], ['/a', '/a/.', '/a/b/..']],
    [
      ['/a//*', '//x'],
      ['/a//b', '/a///b', '//x'],
      ['/a/b', '/x', '///x'],
    ],
    [['/a/../b'], [], ['/a/../b', '/b']],
    [['/é/ü*'], ['/%C3%A9/%C3%BCx', '/%c3%89/%c3%9cx'], ['/e/u']],
    [
      ['/a b', '/c+d', '/e;f'],
      ['/a%20b', '/c+d', '/c%2Bd', '/e%3Bf'],
      ['/a+b', '/c%20d'],
    ],
    // Escapes in a pattern are compared with the path as the client sent it.
    [['/a%2Fb'], ['/a%2Fb', '/A%2fb', '/x/../a%2Fb', '/x/%2E%2e/a%2Fb', '//a%2Fb'], ['/a/b', '/a%252Fb']],
    [['/%61'], ['/%61'], ['/a', '/%41']],
    [['/a%2F*'], ['/a%2Fb', '/a%2f%2Fb'], ['/a/b', '/a%2Fb/c', '/a%2f%2fb%2fc']],
    [['/bands/%*/x'], ['/bands/AC%2FDC/x', '/bands/q/x'], ['/bands/AC/DC/x']],
    [['/a/*/c%2F%*'], ['/a/b/c%2Fd%2Fe', '/a/b%20x/c%2Fd'], ['/a/b%2Fx/c%2Fd', '/a/b/c/d']],
    [['/?%2F'], ['/b%2F', '/%62%2F'], ['/%2F%2F']],
    [['/é%2F*', '/%C3%B6'], ['/%c3%a9%2Fx', '/%C3%A9%2Fx', '/%c3%b6'], ['/%C3%A9/x']],
    [['//a%2F*'], ['//a%2Fb'], ['/a%2Fb']],
    [['/100%', '/%zz', '/[a]%2F', '/%'], [], ['/100%25', '/a%2F', '/%25']],
  ];
  for (const [patterns, yes, no] of table) {
    it(`the path matcher matches ${JSON.stringify(patterns)}`, () => expectMatches({ path: patterns }, yes, no));
  }

  it('the path matcher expands placeholders and treats their values as patterns', async () => {
    const asked = (path: string, x: string): object => ({ path, headers: { x } });
    await expectMatches(
      { path: ['{http.request.header.x}'] },
      [asked('/q', '/Q'), asked('/q/z', '/q/*'), asked('/a%2Fb', '/a%2Fb')],
      ['/q', asked('/a/b', '/a%2Fb')],
    );
    await expectMatches({ path: ['/{nope.x}'] }, ['/'], ['/x']);
  });

  it('the path matcher uses the rewritten path of a request', async () => {
    await expectMatches({ path: ['/new'] }, ['/old', '/new'], [], { before: [{ handler: 'rewrite', uri: '/new' }] });
  });

  it('the path matcher rejects a value that is not a list of strings', async () => {
    expect(await refusal({ path: '/a' })).to.include('must be array');
    expect(await refusal({ path: null })).to.include('path');
  });

  const piece = fc.constantFrom('a', 'b', 'A', 'ab', '/', '/', '//', '/.', '/..', '.', 'é');
  const path = fc.array(piece, { maxLength: 8 }).map((pieces) => `/${pieces.join('')}`);
  const pattern = fc
    .array(fc.oneof(piece, fc.constantFrom('*', '?', '/*')), { maxLength: 6 })
    .map((pieces) => pieces.join(''));

  it('the path matcher agrees with a simple reference implementation', () => {
    fc.assert(
      fc.property(
        fc.array(pattern, { minLength: 1, maxLength: 4 }),
        path,
        fc.boolean(),
        (patterns, decoded, escape) => {
          const sent = escape ? encodeURI(decoded).replaceAll('b', '%62') : encodeURI(decoded);
          const expected = patterns.some((one) => naiveMatch(one, sent));
          expect(pathMatcher(patterns).match(makeExchange({ path: sent }))).to.equal(expected);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('a path pattern with percent-encoded characters is compared with the encoded request path', () => {
    const tokens = fc.array(fc.constantFrom('a', 'b', '/', '%2F', '%61', '%20'), { maxLength: 6 });
    fc.assert(
      fc.property(tokens, tokens, (wanted, sent) => {
        const text = `/${wanted.join('')}`;
        fc.pre(text.includes('%') && !text.includes('//'));
        // An unescaped character in the pattern also matches its escaped form in the path, but not vice versa.
        const same =
          wanted.length === sent.length &&
          wanted.every(
            (token, i) =>
              token === sent[i] || (token === 'a' && sent[i] === '%61') || (token === '/' && sent[i] === '%2F'),
          );
        fc.pre(!sent.join('').includes('//') && !sent.join('').startsWith('/'));
        expect(pathMatcher([text]).match(makeExchange({ path: `/${sent.join('')}` }))).to.equal(same);
      }),
      { numRuns: 2000 },
    );
  });
});
