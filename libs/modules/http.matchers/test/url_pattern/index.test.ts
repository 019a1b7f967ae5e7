import { expect } from 'chai';
import type { TestRequest } from '@sluice/testing';
import { expectResponses, expectMatches, refusal } from '../matching.ts';

const at = (host: string, path: string): TestRequest => ({ host, path });

describe('http.matchers.url_pattern', () => {
  const table: [pattern: string, yes: (TestRequest | string)[], no: (TestRequest | string)[]][] = [
    ['/p/*', ['/p/1/2', '/p/', '/p/1?x', '/x/../p/1'], ['/p', '/q', '/P/1']],
    ['/p/:a', ['//p/1', '/%2Fp/1', '/p//1', '/x/%2e%2e/p/1', '/x/..%2fp/1'], ['/p/1/..', '/p/1/../']],
    ['/u/:id', ['/u/12', '/u/%C3%A9'], ['/u/', '/u/1/2', '/u//']],
    ['/p/:a?', ['/p', '/p/x'], ['/p/', '/p/x/y']],
    ['/p/:a+', ['/p/x', '/p/x/y'], ['/p']],
    ['/p/:a*/e', ['/p/e', '/p/x/y/e'], ['/p/x']],
    ['/a{/:b(\\d+)}?', ['/a', '/a/5'], ['/a/x']],
    ['/a{b}?', ['/a', '/ab'], ['/abb']],
    ['/{ab}+', ['/ab', '/abab'], ['/', '/a']],
    ['/{a:a}*', ['/', '/a1a2'], ['/b']],
    ['/:a(a|b)', ['/a', '/b'], ['/c']],
    ['/([^/]+)/x', ['/a/x'], ['/a/b/x']],
    ['/*.php', ['/x.php', '/a/b.php'], ['/x.phpx']],
    ['/s?q=:q', ['/s?q=1', '/s?q=1&r=2'], ['/s', '/s?x=1']],
    ['/s\\?q=*', ['/s?q=1'], ['/s']],
    ['/s', ['/s?anything'], ['/s/']],
    ['', ['/', '/x?y'], []],
    ['*', ['/', '/x?y'], []],
    ['#x', [], ['/']],
    ['/a b/é.x', ['/a%20b/%C3%A9.x', '/a%20b/%c3%a9.x'], ['/a%20b/%C3%A9yx']],
    ['/a/../b', ['/b'], ['/a/b']],
    [
      'http://*.test/x',
      [at('a.test', '/x'), at('a.b.test', '/x')],
      [at('test', '/x'), at('a.test:81', '/x'), at('a b', '/x'), at('', '/x')],
    ],
    ['http://:h.test:*/x', [at('a.test:81', '/x'), at('A.test', '/x')], [at('a.b.test', '/x')]],
    ['http{s}?://a/x', [at('a', '/x'), at('a:80', '/x')], [at('b', '/x')]],
    ['https://a/x', [], [at('a', '/x')]],
    ['http://[\\:\\:1]/x', [at('[::1]', '/x')], [at('[::2]', '/x')]],
  ];
  for (const [pattern, yes, no] of table) {
    it(`url_pattern matches ${pattern}`, () => expectMatches({ url_pattern: { pattern } }, yes, no));
  }

  it('url_pattern resolves a pattern against a base URL', async () => {
    await expectMatches(
      { url_pattern: { pattern: 'x/:a', base_url: 'http://a.test/d/e' } },
      [at('a.test', '/d/x/1')],
      [at('b.test', '/d/x/1'), at('a.test', '/x/1')],
    );
  });

  it('url_pattern can ignore case', () =>
    expectMatches({ url_pattern: { pattern: '/Foo/:a', ignore_case: true } }, ['/foo/A', '/FOO/b'], ['/bar/a']));

  it('url_pattern stores groups by name or number', async () => {
    const body =
      '{http.url_pattern.hostname.0} {http.url_pattern.pathname.a} {http.url_pattern.pathname.0} {http.url_pattern.pathname.b} {http.url_pattern.search.q}';
    const set = { url_pattern: { pattern: 'http://*/:a/*/:b(\\d)\\?q=:q' } };
    await expectResponses(
      set,
      [
        [at('x.test', '/1/2/3/4?q=5'), 'x.test 1 2/3 4 5'],
        [at('x.test', '/1'), 'no'],
      ],
      { body },
    );
    await expectResponses({ url_pattern: { pattern: '/p/:a?' } }, [['/p', '[] {http.url_pattern.search.0}']], {
      body: '[{http.url_pattern.pathname.a}] {http.url_pattern.search.0}',
    });
  });

  it('url_pattern evaluates patterns without catastrophic backtracking', async () => {
    await expectMatches({ url_pattern: { pattern: '/:a((?:a+)+)b' } }, [`/${'a'.repeat(40)}b`], [`/${'a'.repeat(40)}`]);
  });

  const refused: [pattern: string, base: string][] = [
    ['/((', ''],
    ['/((a+)+)', ''],
    ['/(?<x>a)', ''],
    ['/(?:a)', ''],
    ['/()', ''],
    ['/:a/:a', ''],
    ['/(a(?=b))', ''],
    ['/a:', ''],
    ['x', ''],
    ['/x', 'nope'],
  ];
  for (const [pattern, base_url] of refused) {
    it(`url_pattern rejects ${pattern} ${base_url}`, async () => {
      expect(await refusal({ url_pattern: { pattern, base_url } })).to.include('url_pattern.pattern: ');
    });
  }
});
