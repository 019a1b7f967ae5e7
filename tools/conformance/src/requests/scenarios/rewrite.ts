/** Scenario for `http.handlers.rewrite`: every operation, alone and combined with others. */
import type { Random } from '../../differential/random.ts';
import { echo } from '../echo.ts';
import type { Request } from '../request.ts';
import type { Scenario } from '../scenario.ts';

const texts = [
  'x',
  'a b',
  '{http.request.uri.query.a}',
  '{http.request.header.X-A}',
  '{http.request.method}',
  'é',
  'a/b',
  '%41',
  '100%',
];

const paths = [
  '/n',
  '/n/{http.request.uri.path}',
  '{http.request.uri}',
  '/n{http.request.uri.path.file}',
  '',
  '/a%20b/n',
  '/é',
  '/a%2Fx',
  'rel',
  '/x;y',
  '/{http.request.header.X-A}',
  '/%zz',
  '//n',
  '/a/../b',
  '/n/',
];

const queries = [
  '',
  '?',
  '?b=2',
  '?{http.request.uri.query}',
  '?{http.request.uri.query}&z=1',
  '?a={http.request.header.X-A}',
  '?{http.request.header.X-A}=1',
  '?a=b=c&&d',
  '?a b',
  '?x={http.request.uri.query.a}#f',
];

const prefixes = [
  '/a',
  '/A',
  'a',
  '/a%20b',
  '/a b',
  '/a%2Fx',
  '//',
  '/a/',
  '/',
  '/%41',
  '/{http.request.uri.query.a}',
  '/é',
];

const expressions: readonly (readonly [find: string, replace: string])[] = [
  ['/+', '/'],
  ['^/(.*)$', '/pre/$1'],
  ['(?P<w>[a-z]+)', '<$w>'],
  ['a|b', '$0$0'],
  ['%20', ' '],
  ['$', '/end'],
  ['^', '/start'],
  ['x*', '-'],
  ['b', '{http.request.method}'],
  ['/b$', '?q'],
  ['2', 'x'],
  ['[0-9a-f]', '$0z'],
  ['25|zz', '%'],
];

function operations(random: Random): object {
  const made: Record<string, unknown> = {};
  if (random.chance(0.2)) made['method'] = random.pick(['post', '{http.request.header.X-A}', 'GET', 'a b', '']);
  if (random.chance(0.5)) made['uri'] = random.pick(paths) + random.pick(queries);
  if (random.chance(0.25)) made['strip_path_prefix'] = random.pick(prefixes);
  if (random.chance(0.25))
    made['strip_path_suffix'] = random.pick(['.html', '/', 'B', '%20', 'b%20c', '/b', '{http.request.uri.query.a}']);
  if (random.chance(0.25))
    made['uri_substring'] = [
      {
        find: random.pick(['a', '/', '%', '%20', '2', '', '?', 'b=', '{http.request.orig_method}']),
        replace: random.pick(texts),
        limit: random.pick([0, 1, 2, -1]),
      },
    ];
  if (random.chance(0.25)) {
    const [find, replace] = random.pick(expressions);
    made['path_regexp'] = [{ find, replace }];
  }
  if (random.chance(0.3)) made['query'] = queryOperations(random);
  return { handler: 'rewrite', ...made };
}

function queryOperations(random: Random): object {
  const key = (): string => random.pick(['a', 'b', 'new', '{http.request.header.X-A}', 'A', '']);
  const made: Record<string, unknown> = {};
  if (random.chance(0.4)) made['rename'] = [{ key: key(), val: key() }];
  if (random.chance(0.4)) made['set'] = [{ key: key(), val: random.pick(texts) }];
  if (random.chance(0.4)) made['add'] = [{ key: key(), val: random.pick(texts) }];
  if (random.chance(0.3)) made['delete'] = [key()];
  if (random.chance(0.3))
    made['replace'] = [
      random.chance(0.5)
        ? { key: random.pick(['*', 'a', 'b']), search: random.pick(['1', 'b', '']), replace: random.pick(texts) }
        : {
            key: random.pick(['*', 'a']),
            search_regexp: random.pick(['[0-9]+', '(b)(.?)', '^$']),
            replace: random.pick(['$1', 'n', '<$0>']),
          },
    ];
  return made;
}

/**
 * Request targets for rewrites. They include escaped dots and slashes where a prefix or suffix may end. They exclude prefixes that contain
 * an escape and span the whole path; see docs/differences.md.
 */
const targets = [
  '/',
  '/a',
  '/a/b',
  '/A/b',
  '/a%20b/c',
  '/b%2Fa',
  '/a%2Fx',
  '/a%2F%2e%2e/x.html',
  '/a../b',
  '/a..%2Fb',
  '/b/%2e%2E/a/b',
  '/x%2fb/c',
  '//a//b',
  '/a/b/',
  '/x.html',
  '/a/x.html',
  '/%C3%A9/b',
  '/a/../b',
  '/a/./b',
  '/a%41',
  '/a;b',
  '/100%25',
  '/b/a',
  '/a?',
  '/%3F',
  '/a+b',
];
const sentQueries = [
  '',
  '',
  '?',
  '?a=1',
  '?a=1&a=2&b=3',
  '?a=%20b',
  '?a=b+c',
  '?a',
  '?b=2&a=%zz',
  '?a=1;b=2',
  '?a=/a',
  '?x=%C3%A9&a=a%26b',
  '?&&a=1',
  '?=v',
  '?a=b%2Fc',
];

export const rewriteScenario: Scenario = {
  name: 'rewrite',
  variants: 60,
  routes: (random) =>
    Array.from({ length: 60 }, () => [operations(random), ...(random.chance(0.3) ? [operations(random)] : []), echo()]),
  request: (random): Request => ({
    method: random.pick(['GET', 'GET', 'POST', 'brew']),
    target: random.pick(targets) + random.pick(sentQueries),
    host: 'test.example',
    fields: random.some([['X-A', random.pick(['v', 'a b', '', 'q=1&r', '/p', 'a%20'])]], 1),
    body: '',
  }),
};
