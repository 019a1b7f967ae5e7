/** Vocabulary of generated routes and requests. It is small so that routes often interfere with each other. */
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

/** Path patterns, each with sample paths that match it. */
export const patterns: Readonly<Record<string, readonly string[]>> = {
  '^/a': ['/a', '/ab', '/a/b'],
  '(?i)^/A/?b': ['/a/b', '/Ab', '/A/B'],
  '\\.php$': ['/x.php', '/a/b.php'],
  '^/(a|b)/(?P<rest>.*)$': ['/a/b', '/b/x.php'],
  '^b/': [],
};

/** CEL expressions, each with a request that makes the expression true. */
export const expressions: Readonly<Record<string, { readonly method?: string; readonly path?: string }>> = {
  "{http.request.method} == 'POST'": { method: 'POST' },
  "path('/a/*')": { path: '/a/b' },
  "host('a.test') && !method('POST')": { method: 'GET' },
  "{http.vars.v} == '1' || path('/b')": { path: '/b' },
  "path_regexp('^/b') && protocol('http')": { path: '/b/x' },
  true: {},
};

/** Values for the field `X`, the query parameter `q` and the variable `v`. */
export const values: readonly string[] = ['1', '2', '12'];

/** Client IP addresses, for direct connections and through a proxy. */
export const addresses: readonly string[] = ['127.0.0.1', '10.1.2.3', '192.0.2.7'];

/** Request targets of random requests. */
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
