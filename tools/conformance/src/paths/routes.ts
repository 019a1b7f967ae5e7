/** Handlers of the path test matrix. Each tests a part of the server that matches, changes or forwards a path. */

/** Addresses and directories that the handlers use. */
export interface Places {
  readonly root: string;
  readonly upstream: number;
  readonly responder: number;
}

const shown = ['uri', 'uri.path', 'uri.path.dir', 'uri.path.0'];

/** A handler that responds with the current path. */
const probe = {
  handler: 'static_response',
  status_code: 200,
  body: shown.map((name) => `${name}=[{http.request.${name}}]`).join('\n'),
};

const foundFile = ['relative', 'absolute', 'remainder', 'type'].map((name) => `${name}=[{http.matchers.file.${name}}]`);

/** Returns the routes by name. A request header selects the route. */
export function routesTo({ root, upstream, responder }: Places): Readonly<Record<string, readonly object[]>> {
  const rewrite = (options: object): object => ({ handler: 'rewrite', ...options });
  const rewritten = (options: object): readonly object[] => [{ handle: [rewrite(options), probe] }];
  const matching = (match: object): readonly object[] => [
    { match: [match], handle: [{ handler: 'static_response', body: 'matched', status_code: 200 }] },
    { handle: [{ handler: 'static_response', body: 'not matched', status_code: 200 }] },
  ];
  const proxy = (options: object = {}): object => ({
    handler: 'reverse_proxy',
    upstreams: [{ dial: `127.0.0.1:${upstream}` }],
    ...options,
  });
  const fastcgi = (options: object = {}): object => ({
    handler: 'reverse_proxy',
    upstreams: [{ dial: `127.0.0.1:${responder}` }],
    transport: { protocol: 'fastcgi', root, split_path: ['.php'], ...options },
  });
  const files = { handler: 'file_server', root };
  const file = (options: object): object => ({ file: { root, ...options } });
  const finds = (options: object): readonly object[] => [
    { match: [file(options)], handle: [{ handler: 'static_response', body: foundFile.join('\n'), status_code: 200 }] },
    { handle: [{ handler: 'static_response', body: 'not found', status_code: 200 }] },
  ];
  const guarded = (paths: readonly string[], then: readonly object[]): readonly object[] => [
    { match: [{ path: paths }], handle: [{ handler: 'static_response', status_code: 403 }] },
    ...then,
  ];
  const php = [
    {
      match: [{ ...file({ try_files: ['{http.request.uri.path}/index.php'] }), not: [{ path: ['*/'] }] }],
      handle: [
        {
          handler: 'static_response',
          status_code: 308,
          headers: { Location: ['{http.request.orig_uri.path}/{http.request.orig_uri.prefixed_query}'] },
        },
      ],
    },
    {
      match: [
        file({
          try_files: ['{http.request.uri.path}', '{http.request.uri.path}/index.php', 'index.php'],
          split_path: ['.php'],
        }),
      ],
      handle: [rewrite({ uri: '{http.matchers.file.relative}' })],
    },
    { match: [{ path: ['*.php'] }], handle: [fastcgi()] },
    { handle: [files] },
  ];
  return {
    probe: [{ handle: [probe] }],
    'path exact': matching({ path: ['/admin/page.txt', '/admin', '/x'] }),
    'path prefix': matching({ path: ['/admin*'] }),
    'path folder': matching({ path: ['/admin/*'] }),
    'path suffix': matching({ path: ['*.php'] }),
    'path inside': matching({ path: ['*/page*'] }),
    'path glob': matching({ path: ['/*/page.txt'] }),
    'path escaped slash': matching({ path: ['/admin%2f*'] }),
    'path escaped star': matching({ path: ['/admin/%*'] }),
    'path two slashes': matching({ path: ['/admin//*'] }),
    path_regexp: matching({ path_regexp: { pattern: '^/admin(/|$)' } }),
    'path in not': matching({ not: [{ path: ['/admin*'] }] }),
    url_pattern: matching({ url_pattern: { pattern: '/admin/*' } }),
    vars_regexp: matching({ vars_regexp: { '{http.request.uri.path}': { pattern: '^/admin/' } } }),
    'expression path_regexp': matching({ expression: "path_regexp('^/admin/')" }),
    'expression text': matching({ expression: "{http.request.uri.path}.startsWith('/admin/')" }),
    'expression path': matching({ expression: "path('/admin*')" }),
    'strip prefix': rewritten({ strip_path_prefix: '/admin' }),
    'strip prefix mount': rewritten({ strip_path_prefix: '/mount' }),
    'strip prefix slash': rewritten({ strip_path_prefix: '/admin/' }),
    'strip prefix and suffix': rewritten({ strip_path_prefix: '/admin', strip_path_suffix: '/page.txt' }),
    'strip prefix of a value': rewritten({ strip_path_prefix: '/{http.request.uri.path.0}' }),
    'strip prefix escaped': rewritten({ strip_path_prefix: '/admin%2f' }),
    'strip prefix slashes': rewritten({ strip_path_prefix: '//admin' }),
    'strip suffix': rewritten({ strip_path_suffix: '/page.txt' }),
    'strip suffix php': rewritten({ strip_path_suffix: '.php' }),
    substring: rewritten({ uri_substring: [{ find: '/admin', replace: '/new' }] }),
    'substring dots': rewritten({ uri_substring: [{ find: 'admin', replace: '..' }] }),
    'substring slashes': rewritten({ uri_substring: [{ find: '//', replace: '/' }] }),
    regexp: rewritten({ path_regexp: [{ find: '^/admin(.*)', replace: '/new$1' }] }),
    'regexp slashes': rewritten({ path_regexp: [{ find: '/{2,}', replace: '/' }] }),
    'rewrite path': rewritten({ uri: '/pre{http.request.uri.path}' }),
    'rewrite uri': rewritten({ uri: '/pre{http.request.uri}' }),
    'rewrite original': rewritten({ uri: '/pre{http.request.orig_uri.path}' }),
    'rewrite segment': rewritten({ uri: '/pre/{http.request.uri.path.0}/{http.request.uri.path.1}' }),
    'rewrite file': rewritten({ uri: '{http.request.uri.path.dir}x{http.request.uri.path.file}' }),
    'rewrite query': rewritten({ uri: '/q?p={http.request.uri.path}&{http.request.uri.query}' }),
    'rewrite capture': [
      {
        match: [{ path_regexp: { name: 'c', pattern: '^/([^/]*)/(.*)$' } }],
        handle: [rewrite({ uri: '/{http.regexp.c.2}/{http.regexp.c.1}' }), probe],
      },
    ],
    'rewrite variable': [
      {
        handle: [{ handler: 'vars', kept: '{http.request.uri.path}' }, rewrite({ uri: '{http.vars.kept}' }), probe],
      },
    ],
    'map path': [
      {
        handle: [
          {
            handler: 'map',
            source: '{http.request.uri.path}',
            destinations: ['{to}'],
            mappings: [{ input_regexp: '^(.*)$', outputs: ['${1}'] }],
          },
          rewrite({ uri: '{to}' }),
          probe,
        ],
      },
    ],
    'file server': [{ handle: [files] }],
    'file server as sent': [{ handle: [{ ...files, canonical_uris: false }] }],
    'file server listing': [{ handle: [{ ...files, browse: {}, index_names: [] }] }],
    'file server hide': [{ handle: [{ ...files, hide: ['admin', 'other.php', `${root}/mount`] }] }],
    'file server guarded': guarded(['/admin*', '/mount/*'], [{ handle: [files] }]),
    'strip and serve': [{ handle: [rewrite({ strip_path_prefix: '/mount' }), files] }],
    'strip and serve guarded': guarded(
      ['/mount/admin*', '/admin*'],
      [{ handle: [rewrite({ strip_path_prefix: '/mount' }), files] }],
    ),
    'matcher file': finds({}),
    'matcher file split': finds({ split_path: ['.php'] }),
    'matcher file list': finds({
      try_files: [
        '{http.request.uri.path}',
        '{http.request.uri.path}/',
        '{http.request.uri.path}/index.php',
        '/index.php',
      ],
      split_path: ['.php'],
    }),
    'matcher file fallback': finds({
      try_files: ['{http.request.uri.path}.html', 'index.php'],
      try_policy: 'first_exist_fallback',
    }),
    'try_files and serve': [
      {
        match: [file({ try_files: ['{http.request.uri.path}', '/index.html'] })],
        handle: [rewrite({ uri: '{http.matchers.file.relative}' }), probe],
      },
      { handle: [files] },
    ],
    'remainder and serve': guarded(
      ['/admin/*'],
      [
        {
          match: [file({ try_files: ['{http.request.uri.path}', '/index.php'], split_path: ['.php'] })],
          handle: [rewrite({ uri: '{http.matchers.file.relative}{http.matchers.file.remainder}' }), probe],
        },
        { handle: [files] },
      ],
    ),
    proxy: [{ handle: [proxy()] }],
    'proxy rewrite': [{ handle: [proxy({ rewrite: { uri: '/pre{http.request.uri.path}' } })] }],
    'proxy strip': [{ handle: [proxy({ rewrite: { strip_path_prefix: '/admin' } })] }],
    'proxy guarded': guarded(['/admin*'], [{ handle: [proxy()] }]),
    'strip and proxy': [{ handle: [rewrite({ strip_path_prefix: '/mount' }), proxy()] }],
    fastcgi: [{ handle: [fastcgi()] }],
    'fastcgi without split': [{ handle: [fastcgi({ split_path: [] })] }],
    'fastcgi guarded': guarded(['/admin*'], [{ handle: [fastcgi()] }]),
    'fastcgi stripped': [{ handle: [rewrite({ strip_path_prefix: '/mount' }), fastcgi()] }],
    'php site stripped': [{ handle: [rewrite({ strip_path_prefix: '/mount' })] }, ...php],
    'php site guarded': guarded(['/admin*'], php),
    'php site': php,
    redirect: [
      {
        handle: [
          { handler: 'static_response', status_code: 302, headers: { Location: ['https://h{http.request.uri}'] } },
        ],
      },
    ],
  };
}
