/** Of what generated routes and requests are made: so few words that routes stand in each other's way. */
export const hosts: readonly string[] = ['a.test', 'A.test', 'b.test', '*.a.test', '*.test', '*.*.test', 'x.*.test'];

export const paths: readonly string[] = [
  '/a',
  '/a/*',
  '/a*',
  '*',
  '/*',
  '*.php',
  '*b*',
  '/a/b',
  '/A/b/*',
  '/*/b',
  '/a/b.php',
  '/b',
  '/b/*',
  '//a',
  '/%61',
  '/a/b*',
  '/a?',
  '/[ab]',
  'a/*',
];

export const methods: readonly string[] = ['GET', 'POST', 'get', 'PUT'];

/** Patterns for paths, each with paths that it matches. */
export const patterns: Readonly<Record<string, readonly string[]>> = {
  '^/a': ['/a', '/ab', '/a/b'],
  '(?i)^/A/?b': ['/a/b', '/Ab', '/A/B'],
  '\\.php$': ['/x.php', '/a/b.php'],
  '^/(a|b)/(?P<rest>.*)$': ['/a/b', '/b/x.php'],
  '^b/': [],
};

/** Expressions, each with a request that it is true of. */
export const expressions: Readonly<Record<string, { readonly method?: string; readonly path?: string }>> = {
  "{http.request.method} == 'POST'": { method: 'POST' },
  "path('/a/*')": { path: '/a/b' },
  "host('a.test') && !method('POST')": { method: 'GET' },
  "{http.vars.v} == '1' || path('/b')": { path: '/b' },
  "path_regexp('^/b') && protocol('http')": { path: '/b/x' },
  true: {},
};

/** Values of the field `X`, of the parameter `q`, and of the variable `v`. */
export const values: readonly string[] = ['1', '2', '12'];

/** Addresses that requests come from, over a proxy or not. */
export const addresses: readonly string[] = ['127.0.0.1', '10.1.2.3', '192.0.2.7'];

/** Targets of requests that are aimed at nothing. */
export const targets: readonly string[] = [
  '/',
  '/a',
  '/a/',
  '/a/b',
  '/a/b/c',
  '/A/B',
  '/ab',
  '/b',
  '/b/a',
  '/b/x.php',
  '/a/b.php',
  '//a',
  '/a/./b',
  '/a/../b',
  '/%61',
  '/a%2Fb',
  '/a/x/b',
];
