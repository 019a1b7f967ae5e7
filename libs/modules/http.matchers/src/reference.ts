/** Reference documentation for the modules in this package. */
import type { JsonObject } from '@sluice/base';
import type { PackageReference } from '@sluice/registry';

const route = (match: JsonObject): JsonObject => ({
  apps: {
    http: {
      servers: {
        example: {
          listen: [':8080'],
          routes: [{ match: [match], handle: [{ handler: 'static_response', body: 'matched' }] }],
        },
      },
    },
  },
});

export const reference: PackageReference = {
  examples: {
    'http.matchers.client_ip': route({ client_ip: { ranges: ['192.0.2.0/24', '2001:db8::/32'] } }),
    'http.matchers.expression': route({ expression: '{http.request.method} == "POST" && path("/api/*")' }),
    'http.matchers.file': route({
      file: {
        root: '/tmp/sluice-example',
        try_files: ['{http.request.uri.path}', '{http.request.uri.path}/index.html'],
      },
    }),
    'http.matchers.header': route({ header: { Accept: ['*json*'], 'X-Internal': null } }),
    'http.matchers.header_regexp': route({ header_regexp: { 'User-Agent': { name: 'agent', pattern: '^([a-z]+)/' } } }),
    'http.matchers.host': route({ host: ['example.com', '*.example.com'] }),
    'http.matchers.maxmind_geolocation': route({
      maxmind_geolocation: { db_path: '/tmp/sluice-example/GeoLite2-Country.mmdb', allow_countries: ['AT', 'DE'] },
    }),
    'http.matchers.method': route({ method: ['GET', 'HEAD'] }),
    'http.matchers.not': route({ not: [{ path: ['/public/*'] }] }),
    'http.matchers.path': route({ path: ['/api/*', '*.php'] }),
    'http.matchers.path_regexp': route({ path_regexp: { name: 'user', pattern: '^/users/([0-9]+)$' } }),
    'http.matchers.protocol': route({ protocol: 'https' }),
    'http.matchers.query': route({ query: { page: ['*'], sort: ['name', 'time'] } }),
    'http.matchers.remote_ip': route({ remote_ip: { ranges: ['127.0.0.0/8', '::1'] } }),
    'http.matchers.tls': route({ tls: { handshake_complete: true } }),
    'http.matchers.url_pattern': route({ url_pattern: { pattern: '/users/:id' } }),
    'http.matchers.vars': route({ vars: { '{http.request.host}': ['a.example.com', 'b.example.com'] } }),
    'http.matchers.vars_regexp': route({ vars_regexp: { '{http.request.uri.path}': { pattern: '^/[0-9]+$' } } }),
  },
  placeholders: [
    {
      title: 'Files',
      where: 'Handlers of a route with a `file` matcher, after the matcher has matched.',
      names: {
        'http.matchers.file.relative': 'Path of the matched file, relative to the root directory.',
        'http.matchers.file.absolute': 'Path of the matched file, including the root directory.',
        'http.matchers.file.type': '`file` or `directory`.',
        'http.matchers.file.remainder': 'Remainder of the path after the suffix in `split_path`.',
      },
    },
    {
      title: 'URL patterns',
      where: 'Handlers of a route with a `url_pattern` matcher, after the matcher has matched.',
      names: {
        'http.url_pattern.<part>.<name>':
          'Capture group of the URL pattern, by URL component (such as `pathname`, `hostname` or `search`) and by name or number.',
      },
    },
  ],
};
