/** Reference documentation of this package. */
import type { JsonObject } from '@sluice/base';
import type { PackageReference } from '@sluice/registry';
import { metrics } from './metrics.ts';
import { proxyPlaceholders } from './reverse_proxy/describe-placeholders.ts';

const site = (...handle: JsonObject[]): JsonObject => ({
  apps: { http: { servers: { example: { listen: [':8080'], routes: [{ handle }] } } } },
});

export const reference: PackageReference = {
  examples: {
    'http.handlers.acme_server': site({
      handler: 'acme_server',
      ca: 'local',
      lifetime: '24h',
      challenges: ['http-01'],
    }),
    'http.handlers.authentication': site(
      {
        handler: 'authentication',
        providers: {
          http_basic: {
            accounts: [{ username: 'ada', password: '$2b$10$yq2I4wNzKQZlBjO3c7UcSe9C1OVjn6HVwP8.Tql6ZzS1IIlPPcoXK' }],
          },
        },
      },
      { handler: 'static_response', body: 'hello' },
    ),
    'http.handlers.cache': site(
      { handler: 'cache', ttl: '5m', stale: '1h' },
      { handler: 'reverse_proxy', upstreams: [{ dial: 'localhost:9000' }] },
    ),
    cache: { apps: { cache: { ttl: '5m', memory: 268_435_456 } } },
    'http.handlers.concurrency_limit': site(
      { handler: 'concurrency_limit', key: '{http.request.remote.host}', max: 10, queue: 50, queue_timeout: '5s' },
      { handler: 'reverse_proxy', upstreams: [{ dial: 'localhost:9000' }] },
    ),
    'http.handlers.copy_response': site({
      handler: 'reverse_proxy',
      upstreams: [{ dial: 'localhost:9000' }],
      handle_response: [
        { match: { status_code: [404] }, routes: [{ handle: [{ handler: 'copy_response', status_code: 410 }] }] },
      ],
    }),
    'http.handlers.copy_response_headers': site({
      handler: 'reverse_proxy',
      upstreams: [{ dial: 'localhost:9000' }],
      handle_response: [
        {
          match: { status_code: [5] },
          routes: [
            {
              handle: [
                { handler: 'copy_response_headers', include: ['Retry-After'] },
                { handler: 'static_response', status_code: 503, body: 'try again later' },
              ],
            },
          ],
        },
      ],
    }),
    'http.handlers.encode': site(
      {
        handler: 'encode',
        encodings: { zstd: {}, gzip: { level: 6 } },
        prefer: ['zstd', 'gzip'],
        minimum_length: 1024,
      },
      { handler: 'file_server', root: '/tmp/sluice-example' },
    ),
    'http.handlers.error': site({ handler: 'error', status_code: 503, error: 'closed for maintenance' }),
    'http.handlers.file_server': site({
      handler: 'file_server',
      root: '/tmp/sluice-example',
      hide: ['.git'],
      browse: {},
    }),
    'http.handlers.headers': site(
      { handler: 'headers', response: { set: { 'Cache-Control': ['max-age=3600'] }, delete: ['Server'] } },
      { handler: 'file_server', root: '/tmp/sluice-example' },
    ),
    'http.handlers.intercept': site(
      {
        handler: 'intercept',
        handle_response: [
          {
            match: { status_code: [404] },
            routes: [{ handle: [{ handler: 'static_response', status_code: 404, body: 'there is no such page' }] }],
          },
        ],
      },
      { handler: 'reverse_proxy', upstreams: [{ dial: 'localhost:9000' }] },
    ),
    'http.handlers.invoke': {
      apps: {
        http: {
          servers: {
            example: {
              listen: [':8080'],
              named_routes: { greeting: { handle: [{ handler: 'static_response', body: 'hello' }] } },
              routes: [{ handle: [{ handler: 'invoke', name: 'greeting' }] }],
            },
          },
        },
      },
    },
    'http.handlers.log_append': {
      apps: {
        http: {
          servers: {
            example: {
              listen: [':8080'],
              logs: {},
              routes: [
                {
                  handle: [
                    { handler: 'log_append', key: 'tenant', value: '{http.request.host.labels.2}' },
                    { handler: 'static_response', body: 'hello' },
                  ],
                },
              ],
            },
          },
        },
      },
    },
    'http.handlers.map': site(
      {
        handler: 'map',
        source: '{http.request.host}',
        destinations: ['{tenant}'],
        mappings: [{ input: 'a.example.com', outputs: ['first'] }],
        defaults: ['other'],
      },
      { handler: 'static_response', body: '{tenant}' },
    ),
    'http.handlers.mirror': site(
      { handler: 'mirror', upstreams: [{ dial: 'localhost:9001' }], share: 0.1 },
      { handler: 'reverse_proxy', upstreams: [{ dial: 'localhost:9000' }] },
    ),
    'http.handlers.metrics': {
      apps: {
        http: {
          metrics: {},
          servers: {
            example: {
              listen: [':8080'],
              routes: [{ match: [{ path: ['/metrics'] }], handle: [{ handler: 'metrics' }] }],
            },
          },
        },
      },
    },
    'http.handlers.push': site(
      { handler: 'push', resources: [{ target: '/style.css' }] },
      { handler: 'file_server', root: '/tmp/sluice-example' },
    ),
    'http.handlers.rate_limit': site(
      {
        handler: 'rate_limit',
        rate_limits: {
          per_client: { key: '{http.request.remote.host}', window: '1m', max_events: 100, ipv6_prefix: 64 },
          login: { match: [{ path: ['/login'] }], key: '{http.request.remote.host}', window: '15m', max_events: 10 },
        },
      },
      { handler: 'reverse_proxy', upstreams: [{ dial: 'localhost:9000' }] },
    ),
    'http.handlers.replace_response': site(
      {
        handler: 'replace_response',
        replacements: [{ search: 'http://internal.example', replace: 'https://www.example.com' }],
        match: { headers: { 'Content-Type': ['text/html*'] } },
      },
      { handler: 'reverse_proxy', upstreams: [{ dial: 'localhost:9000' }] },
    ),
    'http.handlers.request_body': site(
      { handler: 'request_body', max_size: 1048576 },
      { handler: 'reverse_proxy', upstreams: [{ dial: 'localhost:9000' }] },
    ),
    'http.handlers.reverse_proxy': site({
      handler: 'reverse_proxy',
      upstreams: [{ dial: 'localhost:9000' }, { dial: 'localhost:9001' }],
      load_balancing: { selection_policy: { policy: 'least_conn' }, retries: 1 },
      health_checks: { active: { uri: '/healthy', interval: '10s' } },
    }),
    'http.handlers.rewrite': site(
      { handler: 'rewrite', strip_path_prefix: '/api' },
      { handler: 'reverse_proxy', upstreams: [{ dial: 'localhost:9000' }] },
    ),
    'http.handlers.static_response': site({
      handler: 'static_response',
      status_code: 302,
      headers: { Location: ['https://example.com{http.request.uri}'] },
    }),
    'http.handlers.subroute': site({
      handler: 'subroute',
      routes: [
        {
          match: [{ path: ['/api/*'] }],
          handle: [{ handler: 'reverse_proxy', upstreams: [{ dial: 'localhost:9000' }] }],
        },
        { handle: [{ handler: 'file_server', root: '/tmp/sluice-example' }] },
      ],
    }),
    'http.handlers.templates': site(
      { handler: 'templates', mime_types: ['text/html'] },
      { handler: 'file_server', root: '/tmp/sluice-example' },
    ),
    'http.handlers.timeouts': site(
      { handler: 'timeouts', read_timeout: 10000000000, write_timeout: 30000000000 },
      { handler: 'reverse_proxy', upstreams: [{ dial: 'localhost:9000' }] },
    ),
    'http.handlers.tracing': site(
      { handler: 'tracing', span: '{http.request.method}' },
      { handler: 'reverse_proxy', upstreams: [{ dial: 'localhost:9000' }] },
    ),
    'http.handlers.vars': site(
      { handler: 'vars', root: '/tmp/sluice-example', greeting: 'hello {http.request.remote.host}' },
      { handler: 'static_response', body: '{http.vars.greeting}' },
    ),
    'http.handlers.webdav': site({ handler: 'webdav', root: '/tmp/sluice-example', hide: ['.git'] }),
    'http.handlers.waf': site(
      {
        handler: 'waf',
        load_owasp_crs: true,
        directives:
          'Include @coraza.conf-recommended\nInclude @crs-setup.conf.example\nInclude @owasp_crs/*.conf\nSecRuleEngine On',
      },
      { handler: 'reverse_proxy', upstreams: [{ dial: 'localhost:9000' }] },
    ),
  },
  placeholders: [
    {
      title: 'Reverse proxy',
      where:
        'Options of the `reverse_proxy` handler, its `handle_response` routes, and everything that is evaluated afterwards, such as access logs.',
      names: proxyPlaceholders,
    },
    {
      title: 'Web application firewall',
      where: 'Handlers after `waf`, error routes and access logs.',
      names: {
        'http.transaction_id': "Transaction ID in the firewall's logs.",
        'http.waf.rule': 'ID of the rule that rejected the request.',
      },
    },
    {
      title: 'Users',
      where: 'Handlers after `authentication`.',
      names: {
        'http.auth.user.id': 'User name.',
        'http.auth.user.<name>': 'Value of a claim or attribute from the authentication provider.',
      },
    },
    {
      title: 'Rate limits',
      where: 'Error routes that handle a request rejected by `rate_limit`.',
      names: { 'http.rate_limit.exceeded.name': 'Name of the zone whose limit was exceeded.' },
    },
    {
      title: 'Concurrency limits',
      where: 'Error routes that handle a request rejected by `concurrency_limit`.',
      names: { 'http.concurrency_limit.exceeded.name': 'Name of the limit that was exceeded.' },
    },
    {
      title: 'Tracing',
      where: 'Handlers after `tracing`.',
      names: { 'http.vars.trace_id': 'Trace ID.', 'http.vars.span_id': 'Span ID.' },
    },
  ],
  metrics,
};
