/** Generated matcher sets. */
import type { Words } from './vocabulary.ts';

type Made = (words: Words) => unknown;

const makers: Readonly<Record<string, Made>> = {
  path: (words) => [words.pattern(), ...(words.random.chance(0.3) ? [words.pattern()] : [])],
  path_regexp: ({ random }) => ({
    name: random.pick(['r', 'r', '']),
    pattern: random.pick(['^/(a.?)', '/([^/]*)$', 'b', '(?P<name>c)\\.', '^$', '(?i)/A']),
  }),
  host: (words) => [words.random.pick(['a.test', '*.test', 'b.test', '*.a.test', '{http.request.host}', 'X.A.TEST'])],
  method: ({ random }) => random.pick([['GET'], ['POST', 'HEAD'], ['get'], ['{http.request.method}']]),
  query: ({ random }) =>
    random.pick([{ q: ['1'] }, { q: ['*'] }, { q: ['2'], r: ['*'] }, { 'a b': ['c d'] }, {}, { q: ['{http.vars.v}'] }]),
  header: ({ random }) =>
    random.pick([
      { 'X-A': ['1'] },
      { 'X-A': ['*o'] },
      { 'X-A': null },
      { 'X-A': [] },
      { 'x-b': ['*'] },
      { Host: ['a.test'] },
    ]),
  header_regexp: ({ random }) => ({
    'X-A': { name: random.pick(['r', '']), pattern: random.pick(['^(.)', 'o$', '']) },
  }),
  vars: (words) => ({
    [words.random.pick(['v', 'w', words.placeholder()])]: [words.random.pick(['1', 'one', words.text()])],
  }),
  vars_regexp: (words) => ({
    [words.random.pick(['v', words.placeholder()])]: { name: 'r', pattern: words.random.pick(['(.)', '^o', 'T']) },
  }),
  protocol: ({ random }) => random.pick(['http', 'https', 'http/1.1', 'http/1.1+', 'http/2+']),
  remote_ip: ({ random }) => ({ ranges: random.pick([['127.0.0.1'], ['10.0.0.0/8'], ['::1', '127.0.0.0/8']]) }),
  expression: (words) =>
    words.random.pick([
      `{http.request.method} == 'GET'`,
      `path('${words.pattern()}') || query({'q': '1'})`,
      `{http.request.uri.path}.startsWith('/a') && !method('POST')`,
      `{http.vars.v} == '1'`,
      `header({'X-A': '1'})`,
      `path_regexp('r', '^/(b)')`,
      `host('a.test') ? true : {http.request.header.X-A} == 'two'`,
    ]),
};

/** Generates a matcher set of one or two matchers, which may include `not`. */
export function makeSet(words: Words, depth = 0): object {
  const { random } = words;
  if (depth < 2 && random.chance(0.12))
    return { not: Array.from({ length: random.integer(1, 2) }, () => makeSet(words, depth + 1)) };
  const names = Array.from({ length: random.chance(0.75) ? 1 : 2 }, () => random.pick(Object.keys(makers)));
  return Object.fromEntries(names.sort().map((name) => [name, makers[name]?.(words)]));
}
