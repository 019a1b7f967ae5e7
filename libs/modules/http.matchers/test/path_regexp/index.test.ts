import { expect } from 'chai';
import { expectResponses, expectMatches, refusal } from '../matching.ts';

describe('http.matchers.path_regexp', () => {
  it('path_regexp stores captures by number and name, and empty strings for unmatched groups', async () => {
    const set = { path_regexp: { name: 'n', pattern: '^/(?P<a>[^/]+)(/(?P<b>.+))?$' } };
    const body =
      '[{http.regexp.n.a}] [{http.regexp.n.b}] [{http.regexp.n.2}] [{http.regexp.n.0}] [{http.regexp.1}] [{http.regexp.n.9}] [{http.regexp.n.none}]';
    await expectResponses(
      set,
      [
        ['/x', '[x] [] [] [/x] [x] [{http.regexp.n.9}] [{http.regexp.n.none}]'],
        ['/x/y', '[x] [y] [/y] [/x/y] [x] [{http.regexp.n.9}] [{http.regexp.n.none}]'],
      ],
      { body },
    );
    await expectResponses({ path_regexp: { pattern: '/(x+)' } }, [['/xx', 'xx']], { body: '{http.regexp.1}' });
  });

  const table: [pattern: string, yes: string[], no: string[]][] = [
    ['foo', ['/a/foobar'], ['/FOO']],
    ['^/a/b$', ['/a//b', '/a/./b', '/x/../a/b', '/a%2Fb'], ['/a/b/']],
    ['^/a//b$', [], ['/a//b', '/a/b']],
    ['^/é (.)$', ['/%C3%A9%20x'], ['/x']],
    ['^/{http.request.method}$', ['/%7Bhttp.request.method%7D'], ['/GET']],
    ['(?i)^/[[:alpha:]]+\\d{2,3}\\b(?:x|y)?\\.(JPG|png)$', ['/ab12.jpg', '/AB123.PNG'], ['/ab1.jpg']],
    ['^/\\p{Greek}+$', ['/%CE%B1%CE%B2'], ['/ab']],
    ['^/a.b$', ['/axb'], ['/a%0Ab']],
    ['', ['/'], []],
  ];
  for (const [pattern, yes, no] of table)
    it(`path_regexp matches ${pattern}`, () => expectMatches({ path_regexp: { pattern } }, yes, no));

  it('path_regexp evaluates patterns without catastrophic backtracking', async () => {
    await expectMatches({ path_regexp: { pattern: '^/(a+)+$' } }, [`/${'a'.repeat(50)}`], [`/${'a'.repeat(50)}b`]);
    await expectMatches({ path_regexp: { pattern: '^/([a-z]|a{1,30})+$' } }, [], [`/${'a'.repeat(50)}0`]);
  });

  it('path_regexp stores no captures if it does not match', async () => {
    const set = { not: [{ path_regexp: { name: 'n', pattern: '^/(x)' } }] };
    await expectResponses(set, [['/y', '{http.regexp.n.1}']], { body: '{http.regexp.n.1}' });
  });

  for (const pattern of ['^/(?=a)', '^/(a)\\1', '(']) {
    it(`path_regexp rejects ${pattern}`, async () => {
      expect(await refusal({ path_regexp: { pattern } })).to.include('path_regexp.pattern: regular expression');
    });
  }

  it('path_regexp rejects unknown options', async () => {
    expect(await refusal({ path_regexp: { regexp: 'x' } })).to.include('"regexp"');
  });
});
