import { expect } from 'chai';
import { isArray, isObject, type Json, type JsonObject } from '@sluice/base';
import type { LabeledContainer } from '../../src/docker/labels.ts';
import { parseRule } from '../../src/docker/traefik/rule.ts';
import { RouteGenerator, type EntryPoints, type TraefikRoutes } from '../../src/docker/traefik/routes.ts';

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
    [{ query: { a: ['1'] } }, { query: { b: ['2'] } }, { query: { c: ['*'] } }],
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
  [{ 'addprefix.prefix': '/v1' }, { handler: 'rewrite', uri: '/v1{http.request.uri}' }],
  [{ 'stripprefix.prefixes': '/a,/b' }, { handler: 'rewrite', path_regexp: [{ find: '^(?:/a|/b)/*', replace: '/' }] }],
  [
    { 'stripprefixregex.regex': '^/v[0-9]+' },
    { handler: 'rewrite', path_regexp: [{ find: '^(?:/v[0-9]+)/*', replace: '/' }] },
  ],
  [{ 'replacepath.path': '/new' }, { handler: 'rewrite', uri: '/new' }],
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
  [{ 'inflightreq.amount': '7' }, { handler: 'concurrency_limit', key: '{http.request.host}', max: 7 }],
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
    it(`routesOf refuses only the container with ${title}`, () => {
      const { fragments, problems } = routesOf(
        [container(labels), container({ 'traefik.enable': 'true' }, 'good')],
        entryPoints,
      );
      expect([...fragments.keys()]).to.deep.equal(['traefik good']);
      expect(problems.map((each) => each.container)).to.deep.equal(['shop']);
      expect(problems[0]?.error).to.match(error);
    });

  it('routesOf uses the container name and the lowest exposed TCP port by default', () => {
    const { fragments } = routed({ 'traefik.enable': 'true' });
    const servers = fragments.get('traefik shop')?.config;
    expect(servers).to.have.nested.property('apps.http.servers.web.routes[0].match[0].host[0]', 'shop');
    expect(servers).not.to.have.nested.property('apps.http.servers.websecure');
    expect(handlersIn(servers)[0]?.['upstreams']).to.deep.equal([{ dial: '10.0.0.2:8080' }]);
  });

  it('routesOf converts the options of a service', () => {
    const service = 'traefik.http.services.s.loadbalancer';
    const [proxy] = handlersOf({
      'traefik.http.routers.r.rule': 'Host(`a.test`)',
      [`${service}.server.port`]: '443',
      [`${service}.server.scheme`]: 'https',
      [`${service}.passhostheader`]: 'false',
      [`${service}.healthcheck.path`]: '/up',
      [`${service}.healthcheck.interval`]: '10',
      [`${service}.sticky.cookie.name`]: 'lb',
    });
    expect(proxy).to.deep.equal({
      handler: 'reverse_proxy',
      upstreams: [{ dial: '10.0.0.2:443' }],
      transport: { protocol: 'http', tls: {} },
      load_balancing: { selection_policy: { policy: 'cookie', name: 'lb' } },
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
    const [fragment] = fragments.values();
    expect(fragment?.object).to.equal('router r of containers one, two');
    expect(handlersIn(fragment?.config)[0]?.['upstreams']).to.deep.equal([
      { dial: '10.0.0.1:80' },
      { dial: '10.0.0.2:80' },
    ]);
  });

  it('routesOf orders routers by priority, then by rule length', () => {
    const { fragments } = routed({
      'traefik.http.routers.a.rule': 'Host(`a.test`)',
      'traefik.http.routers.b.rule': 'Host(`a.test`) && Path(`/x`)',
      'traefik.http.routers.c.rule': 'Path(`/`)',
      'traefik.http.routers.c.priority': '1000',
    });
    const ranked = [...fragments].sort(([, one], [, other]) => ((one.rank ?? '') < (other.rank ?? '') ? -1 : 1));
    expect(ranked.map(([key]) => key)).to.deep.equal(['traefik c', 'traefik b', 'traefik a']);
  });

  it('routesOf reports unsupported labels, and still serves the router', () => {
    const { fragments, problems } = routed({
      ...shop,
      'traefik.http.middlewares.m.errors.status': '500',
      'traefik.tcp.routers.x.rule': 'x',
    });
    expect(fragments.size).to.equal(1);
    expect(problems.map(({ error }) => error)).to.deep.equal([
      'label traefik.tcp.routers.x.rule has no equivalent',
      'label traefik.http.middlewares.m.errors.status has no equivalent',
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
    expect(handlers.map(({ handler }) => handler)).to.deep.equal(['rewrite', 'reverse_proxy']);
    expect(handlers[1]?.['load_balancing']).to.deep.equal({ selection_policy: { policy: 'round_robin' }, retries: 2 });
  });
});
