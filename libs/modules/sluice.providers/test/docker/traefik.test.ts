import { expect } from 'chai';
import { isArray, isObject, type Json, type JsonObject } from '@sluice/base';
import type { LabeledContainer } from '../../src/docker/labels.ts';
import { parseRule } from '../../src/docker/traefik/rule.ts';
import type { EntryPoints } from '../../src/docker/traefik/entry-points.ts';
import { RouteGenerator, type TraefikRoutes } from '../../src/docker/traefik/routes.ts';

const entryPoints = { web: ':80', websecure: ':443' };

const container = (labels: Readonly<Record<string, string>>, name = 'shop', addresses = ['10.0.0.2']) => ({
  id: name,
  name,
  labels,
  addresses,
  data: {
    Ports: [
      { PrivatePort: 9090, Type: 'tcp' },
      { PrivatePort: 8080, Type: 'tcp' },
      { PrivatePort: 53, Type: 'udp' },
    ],
  },
});

const routesOf = (containers: readonly LabeledContainer[], points: EntryPoints): TraefikRoutes =>
  new RouteGenerator(points).generate(containers);

type Labels = Readonly<Record<string, string>>;

const routed = (labels: Labels) => routesOf([container(labels)], entryPoints);

/** Returns all objects with the key `handler` in document order, including nested objects. */
function handlersIn(value: Json | undefined): JsonObject[] {
  if (isArray(value)) return value.flatMap((each) => handlersIn(each));
  if (!isObject(value)) return [];
  const own = 'handler' in value && value['handler'] !== 'subroute' ? [value] : [];
  return [...own, ...Object.values(value).flatMap((each) => handlersIn(each))];
}

const proxyIn = (value: Json | undefined): JsonObject | undefined =>
  handlersIn(value).find(({ handler }) => handler === 'reverse_proxy');

const handlersOf = (labels: Labels): JsonObject[] =>
  [...routed(labels).fragments.values()].flatMap(({ config }) => handlersIn(config));

const path = (pattern: string) => ({ path_regexp: { pattern } });

const rules: [rule: string, match: JsonObject[]][] = [
  ['Host(`A.test`)', [{ host: ['a.test'] }]],
  ['Host(`a.test`) || Host("b.test")', [{ host: ['a.test', 'b.test'] }]],
  ['HostRegexp(`^.+\\.a\\.test$`)', [{ vars_regexp: { '{http.request.host}': { pattern: '(?i)^.+\\.a\\.test$' } } }]],
  ['Path(`/a.b`)', [path('^/a\\.b$')]],
  ['PathPrefix(`/a`)', [path('^/a')]],
  ['PathRegexp(`^/a/\\d+`)', [path('^/a/\\d+')]],
  ['Method(`get`)', [{ method: ['GET'] }]],
  [
    'Header(`X-A`, `1`) && HeadersRegexp(`X-B`, `^2`)',
    [{ header: { 'X-A': ['1'] }, header_regexp: { 'X-B': { pattern: '^2' } } }],
  ],
  [
    'Query(`a`, `1`) || Query(`b=2`) || Query(`c`)',
    [{ query: { a: ['1'] } }, { query: { b: ['2'] } }, { query: { c: [''] } }],
  ],
  ['ClientIP(`10.0.0.0/8`)', [{ remote_ip: { ranges: ['10.0.0.0/8'] } }]],
  [
    'Host(`a.test`) && !(Path(`/x`) || Method(`PUT`))',
    [{ host: ['a.test'], not: [path('^/x$'), { method: ['PUT'] }] }],
  ],
  [
    'Host(`a.test`) && (PathPrefix(`/a`) || Method(`PUT`))',
    [
      { host: ['a.test'], ...path('^/a') },
      { host: ['a.test'], method: ['PUT'] },
    ],
  ],
  [
    'Header(`X-A`, `{env.HOME}`) && Query(`a`, `{env.HOME}`)',
    [{ header: { 'X-A': [String.raw`\{env.HOME\}`] }, query: { a: [String.raw`\{env.HOME\}`] } }],
  ],
  ['PathPrefix(`/a`) && PathRegexp(`b$`)', [{ ...path('^/a'), not: [{ not: [path('b$')] }] }]],
];

const invalidRules: [rule: string, error: string][] = [
  ['Host(`a.test`', 'position 14: expected ), got the end of the rule'],
  ['Hosts(`a.test`)', 'position 1: unknown matcher Hosts'],
  ['Host(`a.test`) Path(`/`)', 'position 16: expected && or ||, got Path'],
  ['Host(a.test)', 'position 7: unexpected .test)'],
  ['Host(a)', 'position 6: expected a value in backticks or double quotes, got a'],
  ['Header(`a`)', 'position 1: Header requires 2 values, got 1'],
  ['', 'position 1: expected a matcher, got the end of the rule'],
];

const middlewares: [labels: Labels, expected: JsonObject][] = [
  [{ 'addprefix.prefix': '/v1' }, { handler: 'rewrite', path_regexp: [{ find: '^', replace: '/v1' }] }],
  [{ 'addprefix.prefix': 'v1' }, { handler: 'rewrite', path_regexp: [{ find: '^', replace: '/v1' }] }],
  [{ 'stripprefix.prefixes': '/a,/b' }, { handler: 'rewrite', path_regexp: [{ find: '^(?:/a|/b)/*', replace: '/' }] }],
  [
    { 'stripprefixregex.regex': '^/v[0-9]+' },
    { handler: 'rewrite', path_regexp: [{ find: '^(?:/v[0-9]+)/*', replace: '/' }] },
  ],
  [{ 'replacepath.path': '/new' }, { handler: 'rewrite', uri: '/new' }],
  [{ 'replacepath.path': '/new?x' }, { handler: 'rewrite', uri: '/new%3Fx' }],
  [
    { 'replacepathregex.regex': '^/a/(.*)', 'replacepathregex.replacement': '/b/${1}' },
    { handler: 'rewrite', path_regexp: [{ find: '^/a/(.*)', replace: String.raw`/b/$\{1\}` }] },
  ],
  [
    { 'redirectscheme.scheme': 'https', 'redirectscheme.permanent': 'true' },
    {
      handler: 'static_response',
      status_code: 301,
      headers: { Location: ['https://{http.request.host}{http.request.uri}'] },
    },
  ],
  [
    { 'redirectregex.regex': '^http://old/(.*)', 'redirectregex.replacement': 'http://new/${1}' },
    {
      handler: 'static_response',
      status_code: 302,
      headers: {
        Location: [
          '{http.regexp.traefik_redirect.before}http://new/{http.regexp.traefik_redirect.2}{http.regexp.traefik_redirect.after}',
        ],
      },
    },
  ],
  [
    { 'headers.customrequestheaders.X-A': '1', 'headers.customrequestheaders.X-B': '' },
    { handler: 'headers', request: { set: { 'X-A': ['1'] }, delete: ['X-B'] } },
  ],
  [
    { 'headers.framedeny': 'true', 'headers.customresponseheaders.X-A': '{env.HOME}' },
    {
      handler: 'headers',
      response: { set: { 'X-Frame-Options': ['DENY'], 'X-A': [String.raw`\{env.HOME\}`] }, deferred: true },
    },
  ],
  [
    { compress: 'true' },
    { handler: 'encode', encodings: { zstd: {}, gzip: {} }, prefer: ['zstd', 'gzip'], minimum_length: 1024 },
  ],
  [
    { 'ratelimit.average': '10', 'ratelimit.burst': '50' },
    {
      handler: 'rate_limit',
      rate_limits: { traefik: { key: '{http.request.remote.host}', window: '5000ms', max_events: 50 } },
    },
  ],
  [{ 'ipallowlist.sourcerange': '10.0.0.0/8' }, { handler: 'error', status_code: 403 }],
  [{ 'buffering.maxrequestbodybytes': '1000' }, { handler: 'request_body', max_size: 1000 }],
  [
    { 'inflightreq.amount': '7' },
    { handler: 'concurrency_limit', key: '{http.request.host}', max: 7, status_code: 429 },
  ],
  [{ 'headers.allowedhosts': 'A.test' }, { handler: 'error', status_code: 500 }],
  [
    { 'headers.accesscontrolalloworiginlist': '*', 'headers.accesscontrolallowcredentials': 'true' },
    { handler: 'headers', response: { set: { 'Access-Control-Allow-Origin': ['*'] }, deferred: true } },
  ],
  [
    { 'compress.encodings': 'gzip', 'compress.includedcontenttypes': 'text/html' },
    {
      handler: 'encode',
      encodings: { gzip: {} },
      prefer: ['gzip'],
      minimum_length: 1024,
      match: { headers: { 'Content-Type': ['text/html*'] } },
    },
  ],
];

const shop = { 'traefik.http.routers.r.rule': 'Host(`a.test`)', 'traefik.http.routers.r.middlewares': 'm@docker' };

const refused: [title: string, labels: Labels, error: RegExp][] = [
  [
    'a middleware of an unknown type',
    { ...shop, 'traefik.http.middlewares.m.basicauht.users': 'a:b' },
    /^label traefik\.http\.middlewares\.m\.basicauht\.users: basicauht is not supported$/,
  ],
  ['TLS options', { 'traefik.http.routers.r.tls.options': 'mtls' }, /tls\.options: TLS options are not supported$/],
  [
    'an address list with a strategy',
    {
      ...shop,
      'traefik.http.middlewares.m.ipallowlist.sourcerange': '10.0.0.0/8',
      'traefik.http.middlewares.m.ipallowlist.ipstrategy.depth': '1',
    },
    /^label traefik\.http\.middlewares\.m\.ipallowlist\.ipstrategy\.depth: ipstrategy is not supported/,
  ],
  [
    'an invalid rule',
    { 'traefik.http.routers.r.rule': 'Host(' },
    /^label traefik\.http\.routers\.r\.rule: position 6: /,
  ],
  [
    'an unknown entry point',
    { 'traefik.http.routers.r.entrypoints': 'x' },
    /^label traefik\.http\.routers\.r\.entrypoints: unknown entry point x/,
  ],
  [
    'an invalid port',
    { 'traefik.http.services.s.loadbalancer.server.port': 'x' },
    /server\.port: must be an integer: x$/,
  ],
  ['an unknown middleware', shop, /^label traefik\.http\.routers\.r\.middlewares: unknown middleware m@docker$/],
  [
    'a middleware that restricts access without a counterpart',
    { ...shop, 'traefik.http.middlewares.m.digestauth.users': 'a:b:c' },
    /digestauth is not supported$/,
  ],
  [
    'a password without a supported hash',
    { ...shop, 'traefik.http.middlewares.m.basicauth.users': 'a:b' },
    /basicauth\.users: the password of a has an unsupported hash$/,
  ],
  [
    'an unknown service',
    { 'traefik.http.routers.r.service': 'api@internal' },
    /routers\.r\.service: unknown service api@internal$/,
  ],
];

describe('Traefik labels', () => {
  for (const [rule, match] of rules)
    it(`parseRule converts ${rule}`, () => {
      expect(parseRule(rule).match).to.deep.equal(match);
    });

  for (const [rule, error] of invalidRules)
    it(`parseRule rejects ${JSON.stringify(rule)}`, () => {
      expect(() => parseRule(rule)).to.throw(error);
    });

  for (const [labels, expected] of middlewares)
    it(`routesOf converts the middleware ${Object.keys(labels).join(', ')}`, () => {
      const own = Object.entries(labels).map(([name, value]) => [`traefik.http.middlewares.m.${name}`, value]);
      const all = { ...shop, ...(Object.fromEntries(own) as Labels) };
      expect(routed(all).problems).to.deep.equal([]);
      expect(handlersOf(all)).to.deep.include(expected);
    });

  for (const [title, labels, error] of refused)
    it(`routesOf rejects only the container with ${title}`, () => {
      const { fragments, problems } = routesOf(
        [container(labels), container({ 'traefik.enable': 'true' }, 'good')],
        entryPoints,
      );
      expect([...fragments.keys()]).to.deep.equal(['traefik good', 'traefik-404 web']);
      expect(problems.map((each) => each.container)).to.deep.equal(['shop']);
      expect(problems[0]?.error).to.match(error);
    });

  it('routesOf uses the container name and the lowest exposed TCP port by default', () => {
    const { fragments } = routed({ 'traefik.enable': 'true' });
    const servers = fragments.get('traefik shop')?.config;
    expect(servers).to.have.nested.property('apps.http.servers.web.routes[0].match[0].host[0]', 'shop');
    expect(servers).not.to.have.nested.property('apps.http.servers.websecure');
    expect(proxyIn(servers)?.['upstreams']).to.deep.equal([{ dial: '10.0.0.2:8080' }]);
  });

  it('routesOf converts the options of a service', () => {
    const service = 'traefik.http.services.s.loadbalancer';
    const proxy = proxyIn(
      routed({
        'traefik.http.routers.r.rule': 'Host(`a.test`)',
        [`${service}.server.port`]: '443',
        [`${service}.server.scheme`]: 'https',
        [`${service}.passhostheader`]: 'false',
        [`${service}.healthcheck.path`]: '/up',
        [`${service}.healthcheck.interval`]: '10',
        [`${service}.sticky.cookie.name`]: 'lb',
      }).fragments.get('traefik r')?.config,
    );
    expect(proxy).to.deep.equal({
      handler: 'reverse_proxy',
      upstreams: [{ dial: '10.0.0.2:443' }],
      transport: { protocol: 'http', tls: {} },
      load_balancing: { selection_policy: { policy: 'cookie', name: 'lb', fallback: { policy: 'round_robin' } } },
      health_checks: { active: { uri: '/up', interval: '10s', timeout: '5s', follow_redirects: true } },
      headers: { request: { set: { Host: ['{http.reverse_proxy.upstream.hostport}'] } } },
    });
  });

  it('routesOf merges the containers of a service', () => {
    const labels = {
      'traefik.http.routers.r.rule': 'Host(`a.test`)',
      'traefik.http.services.s.loadbalancer.server.port': '80',
    };
    const { fragments } = routesOf([container(labels, 'one', ['10.0.0.1']), container(labels, 'two')], entryPoints);
    const fragment = fragments.get('traefik r');
    expect(fragment?.object).to.equal('router r of containers one, two');
    expect(proxyIn(fragment?.config)?.['upstreams']).to.deep.equal([{ dial: '10.0.0.1:80' }, { dial: '10.0.0.2:80' }]);
  });

  it('routesOf orders routers by priority, then by rule length', () => {
    const { fragments } = routed({
      'traefik.http.routers.a.rule': 'Host(`a.test`)',
      'traefik.http.routers.b.rule': 'Host(`a.test`) && Path(`/x`)',
      'traefik.http.routers.c.rule': 'Path(`/`)',
      'traefik.http.routers.c.priority': '1000',
    });
    const routers = [...fragments].filter(([key]) => !key.startsWith('traefik-404 '));
    const ranked = routers.sort(([, one], [, other]) => ((one.rank ?? '') < (other.rank ?? '') ? -1 : 1));
    expect(ranked.map(([key]) => key)).to.deep.equal(['traefik c', 'traefik b', 'traefik a']);
  });

  it('routesOf reports unsupported labels, and still returns the routes of the router', () => {
    const { fragments, problems } = routed({
      ...shop,
      'traefik.http.middlewares.m.circuitbreaker.expression': 'LatencyAtQuantileMS(50.0) > 100',
      'traefik.tcp.routers.x.rule': 'x',
    });
    expect([...fragments.keys()]).to.deep.equal(['traefik r', 'traefik-404 web']);
    expect(problems.map(({ error }) => error)).to.deep.equal([
      'label traefik.tcp.routers.x.rule has no equivalent',
      'label traefik.http.middlewares.m.circuitbreaker.expression has no equivalent',
    ]);
  });

  it('routesOf ignores a container with traefik.enable=false', () => {
    expect(routed({ 'traefik.enable': 'false', 'traefik.http.routers.r.rule': 'Host(' })).to.deep.equal({
      fragments: new Map(),
      problems: [],
    });
  });

  it('routesOf expands chained middlewares, and applies retries to the proxy', () => {
    const handlers = handlersOf({
      ...shop,
      'traefik.http.middlewares.m.chain.middlewares': 'p,q',
      'traefik.http.middlewares.p.addprefix.prefix': '/p',
      'traefik.http.middlewares.q.retry.attempts': '3',
    });
    const [proxy] = handlers.filter(({ handler }) => handler === 'reverse_proxy');
    expect(handlers.filter(({ handler }) => handler === 'rewrite')).to.have.length(1);
    expect(proxy?.['load_balancing']).to.deep.equal({ selection_policy: { policy: 'round_robin' }, retries: 2 });
  });

  it('routesOf serves the valid routers of a container that also has an invalid router', () => {
    const { fragments, problems } = routed({
      'traefik.http.routers.bad.rule': 'Hosts(`a.test`)',
      'traefik.http.routers.good.rule': 'Host(`a.test`)',
    });
    expect([...fragments.keys()]).to.deep.equal(['traefik good', 'traefik-404 web']);
    expect(problems).to.deep.equal([
      { container: 'shop', error: 'label traefik.http.routers.bad.rule: position 1: unknown matcher Hosts' },
    ]);
  });

  it('routesOf serves a router on its known entry points, and reports the unknown entry points', () => {
    const { fragments, problems } = routed({
      'traefik.http.routers.r.rule': 'Host(`a.test`)',
      'traefik.http.routers.r.entrypoints': 'nope,web',
    });
    expect([...fragments.keys()]).to.deep.equal(['traefik r', 'traefik-404 web']);
    expect(problems[0]?.error).to.match(/^label traefik\.http\.routers\.r\.entrypoints: unknown entry point nope;/);
  });

  it('routesOf disables automatic HTTPS on entry points without TLS, and generates a 404 response for unmatched requests', () => {
    const { fragments } = routed({ 'traefik.http.routers.r.rule': 'Host(`a.test`)' });
    for (const { config } of fragments.values())
      expect(config).to.have.nested.property('apps.http.servers.web.automatic_https.disable', true);
    expect(handlersIn(fragments.get('traefik-404 web')?.config)).to.deep.equal([
      { handler: 'static_response', status_code: 404 },
    ]);
    expect(fragments.get('traefik-404 web')?.fallback).to.be.a('string');
  });

  it('routesOf distributes requests by weight', () => {
    const labels = (weight: string): Labels => ({
      'traefik.http.routers.r.rule': 'Host(`a.test`)',
      'traefik.http.services.s.loadbalancer.server.weight': weight,
    });
    const { fragments } = routesOf(
      [container(labels('3'), 'one', ['10.0.0.1']), container(labels('1'), 'two')],
      entryPoints,
    );
    expect(proxyIn(fragments.get('traefik r')?.config)?.['load_balancing']).to.deep.equal({
      selection_policy: { policy: 'weighted_round_robin', weights: [3, 1] },
    });
  });

  it('routesOf uses different default cookies for services with the same host', () => {
    const cookieOf = (name: string): Json | undefined => {
      const { fragments } = routed({
        'traefik.http.routers.r.rule': 'Host(`a.test`)',
        [`traefik.http.services.${name}.loadbalancer.sticky.cookie`]: 'true',
      });
      const balancing = proxyIn(fragments.get('traefik r')?.config)?.['load_balancing'] as JsonObject;
      return (balancing['selection_policy'] as JsonObject)['name'];
    };
    expect(cookieOf('one')).to.equal(cookieOf('one'));
    expect(cookieOf('one')).not.to.equal(cookieOf('two'));
  });

  it('routesOf passes a custom Host field to upstreams only', () => {
    const handlers = handlersOf({ ...shop, 'traefik.http.middlewares.m.headers.customrequestheaders.Host': 'b.test' });
    const proxy = handlers.find(({ handler }) => handler === 'reverse_proxy');
    expect(proxy?.['headers']).to.deep.equal({ request: { set: { Host: ['b.test'] } } });
    expect(JSON.stringify(handlers.filter((each) => each !== proxy))).not.to.include('b.test');
  });

  it('routesOf rejects error pages of an unknown service', () => {
    const { fragments, problems } = routed({
      ...shop,
      'traefik.http.middlewares.m.errors.status': '500-599',
      'traefik.http.middlewares.m.errors.service': 'pages',
    });
    expect(fragments.size).to.equal(0);
    expect(problems[0]?.error).to.equal('label traefik.http.middlewares.m.errors.service: unknown service pages');
  });
});
