/** Rules, priorities, default rules, and invalid labels. */
import { rule, single, type LabelCase } from './cases.ts';

/** Upstreams receive the path as the client sent it; Traefik normalizes it. */
const asReceived = { 'sent url': 'the path is sent as received' };

const hosts = (...names: string[]) => names.map((host) => ({ path: '/', host }));

export const ruleCases: readonly LabelCase[] = [
  rule('Host(`a.test`)', [...hosts('a.test', 'A.TEST', 'a.test:8080', 'b.test', 'x.a.test', 'a.test.'), '/x?y=1&y=2'], {
    '6 GET /': 'a host with a trailing dot is another host',
  }),
  rule('Host(`A.Test`)', hosts('a.test', 'A.TEST')),
  rule('Host(`a.test`) || Host(`b.test`)', hosts('a.test', 'b.test', 'c.test')),
  rule('Host(`*.a.test`)', hosts('x.a.test', 'a.test', 'x.y.a.test')),
  rule('Host(`a.test`, `b.test`)', hosts('a.test', 'b.test'), {
    'GET /': 'several values are accepted, as in version 2',
  }),
  rule('HostRegexp(`^.+\\.a\\.test$`)', hosts('x.a.test', 'X.A.TEST', 'x.y.a.test', 'a.test', 'x.a.test:8080')),
  rule('HostRegexp(`a\\.test`)', hosts('a.test', 'xa.test.com', 'b.test')),
  rule('HostRegexp(`{sub:[a-z]+}.a.test`)', hosts('x.a.test', 'a.test')),
  rule('Path(`/a`)', ['/a', '/a/', '/a/b', '/A', '/a?x=1', '/%61', '/', '/ab'], asReceived),
  rule('Path(`/a/`)', ['/a', '/a/']),
  rule('Path(`/a b/ä`)', ['/a%20b/%C3%A4', '/a%20b/%c3%a4', '/a+b/%C3%A4'], asReceived),
  rule('Path(`/a%20b`)', ['/a%20b', '/a%2520b'], { '/a%2520b': 'a percent sign in the path is decoded' }),
  rule(
    'PathPrefix(`/a`)',
    ['/a', '/a/', '/a/b', '/ab', '/A', '/b', '/%61/b', '//a', '/b/../a', '/a/../b', '/a//b'],
    asReceived,
  ),
  rule('PathPrefix(`/a/`)', ['/a', '/a/', '/a/b', '/a/./b'], asReceived),
  rule(
    'PathPrefix(`/`)',
    ['/', '/x', '/%2F', '/a%2Fb', '/a%5Cb', '/a;b', '/a%3Bb', '/%25', '/a%00b', '/?a;b=1', '/..'],
    asReceived,
  ),
  rule('PathPrefix(`/a`) || PathPrefix(`/b`)', ['/a', '/b', '/c']),
  rule('PathRegexp(`^/a/[0-9]+$`)', ['/a/1', '/a/', '/a/1/', '/a/x', '/x/a/1']),
  rule('PathRegexp(`\\.(js|css)$`)', ['/x.js', '/y/x.css', '/x.js.map', '/x.JS']),
  rule('Method(`GET`) || Method(`put`)', [
    '/',
    { path: '/', method: 'PUT', body: 'x' },
    { path: '/', method: 'POST', body: 'x' },
    { path: '/', method: 'HEAD' },
  ]),
  rule('Header(`X-A`, `1`)', [
    { path: '/', headers: { 'X-A': '1' } },
    { path: '/', headers: { 'x-a': '1' } },
    { path: '/', headers: { 'X-A': '12' } },
    '/',
  ]),
  rule('Header(`X-A`, `*`)', [
    { path: '/', headers: { 'X-A': '*' } },
    { path: '/', headers: { 'X-A': '1' } },
  ]),
  rule('Header(`X-A`, `Yes`)', [
    { path: '/', headers: { 'X-A': 'Yes' } },
    { path: '/', headers: { 'X-A': 'yes' } },
  ]),
  rule('HeaderRegexp(`X-A`, `^v[0-9]`)', [
    { path: '/', headers: { 'X-A': 'v1' } },
    { path: '/', headers: { 'X-A': 'xv1' } },
    { path: '/', headers: { 'X-A': 'v' } },
    '/',
  ]),
  rule('Header(`Host`, `a.test`)', ['/'], { '1 GET /': 'the field Host can be matched' }),
  rule('Query(`a`, `1`)', ['/?a=1', '/?a=2', '/?a', '/?b=1&a=1', '/?a=2&a=1', '/?A=1', '/?a=%31', '/']),
  rule('Query(`a`)', ['/?a=1', '/?a', '/?a=', '/?b=1', '/']),
  rule('Query(`a=1`)', ['/?a=1', '/?a=2', '/'], { '1 GET /?a=1': 'accepted, as in version 2' }),
  rule('QueryRegexp(`a`, `^[0-9]+$`)', ['/?a=12', '/?a=x', '/?a=x&a=1', '/'], {
    '3 GET /?a=x&a=1': 'only the first value is compared',
  }),
  rule('ClientIP(`127.0.0.2`)', [
    { path: '/', from: '127.0.0.2' },
    { path: '/', from: '127.0.0.3' },
  ]),
  rule('ClientIP(`127.0.0.2/31`)', [
    { path: '/', from: '127.0.0.2' },
    { path: '/', from: '127.0.0.3' },
    { path: '/', from: '127.0.0.4' },
    { path: '/', from: '127.0.0.1', headers: { 'X-Forwarded-For': '127.0.0.2' } },
  ]),
  rule('Host(`a.test`) && PathPrefix(`/a`) && Method(`GET`)', [
    '/a',
    '/b',
    { path: '/a', method: 'POST' },
    { path: '/a', host: 'b.test' },
  ]),
  rule('Host(`a.test`) || Host(`b.test`) && Path(`/x`)', [
    '/',
    { path: '/', host: 'b.test' },
    { path: '/x', host: 'b.test' },
  ]),
  rule('(Host(`a.test`) || Host(`b.test`)) && Path(`/x`)', ['/', '/x', { path: '/x', host: 'b.test' }]),
  rule('!Path(`/x`)', ['/', '/x']),
  rule('Host(`a.test`) && !(PathPrefix(`/a`) || Method(`PUT`))', ['/', '/a', { path: '/', method: 'PUT' }]),
  rule('Host(`a.test`) && !!Path(`/x`)', ['/', '/x']),
  rule('host(`a.test`) && PATHPREFIX(`/a`)', ['/a', '/b']),
  rule('Host("a.test") && Path("/x\\"y")', ['/x%22y', '/']),
  rule('PathPrefix(`/a`) && PathRegexp(`b$`) && PathRegexp(`c`)', ['/a/c/b', '/a/b', '/c/b']),
  rule('Host(`a.test`) && (Path(`/1`) || Path(`/2`)) && (Method(`GET`) || Header(`X-A`, `1`))', [
    '/1',
    '/2',
    '/3',
    { path: '/2', method: 'POST' },
    { path: '/2', method: 'POST', headers: { 'X-A': '1' } },
  ]),
  {
    title: 'longer rules come first',
    containers: {
      one: { labels: { 'routers.one.rule': 'Host(`a.test`)' } },
      two: { labels: { 'routers.two.rule': 'Host(`a.test`) && PathPrefix(`/x`)' }, address: '127.0.0.2' },
      three: { labels: { 'routers.three.rule': 'PathPrefix(`/x/long/enough`)' }, address: '127.0.0.3' },
    },
    requests: [{ path: '/' }, { path: '/x' }, { path: '/x/long/enough' }, { path: '/x/long/enough', host: 'b.test' }],
  },
  {
    title: 'priorities come before rule lengths',
    containers: {
      one: { labels: { 'routers.one.rule': 'Host(`a.test`)', 'routers.one.priority': '100' } },
      two: { labels: { 'routers.two.rule': 'Host(`a.test`) && PathPrefix(`/x`)' }, address: '127.0.0.2' },
      three: {
        labels: { 'routers.three.rule': 'PathPrefix(`/x/y`)', 'routers.three.priority': '-1' },
        address: '127.0.0.3',
      },
    },
    requests: [{ path: '/' }, { path: '/x' }, { path: '/x/y' }, { path: '/x/y', host: 'b.test' }],
  },
  {
    title: 'the default rule contains the container name',
    containers: { 'My_App.1': { labels: { 'traefik.enable': 'true' } } },
    requests: hosts('my-app-1', 'my_app.1', 'My-App-1', 'a.test'),
  },
  {
    title: 'the default rule of a Compose container',
    containers: {
      'shop-web-1': {
        labels: { 'com.docker.compose.project': 'shop', 'com.docker.compose.service': 'web', 'traefik.enable': 'true' },
      },
    },
    requests: hosts('web-shop', 'shop-web-1', 'web'),
  },
  {
    title: 'containers without Traefik labels',
    containers: { plain: { labels: {} } },
    requests: hosts('plain'),
    differs: { 'GET /': 'containers without labels are not exposed' },
  },
  {
    title: 'traefik.enable=false',
    containers: {
      off: { labels: { 'traefik.enable': 'false', 'routers.off.rule': 'Host(`a.test`)' } },
      on: { labels: { 'traefik.enable': 'true', 'routers.on.rule': 'Host(`b.test`)' }, address: '127.0.0.2' },
    },
    requests: hosts('a.test', 'b.test'),
  },
];

export const invalidCases: readonly LabelCase[] = [
  ...[
    ['an unfinished rule', { 'routers.bad.rule': 'Host(`a.test`' }],
    ['an unknown matcher', { 'routers.bad.rule': 'Hosts(`a.test`)' }],
    [
      'a rule of version 2',
      { 'routers.bad.rule': 'Headers(`X-A`, `1`)' },
      { '2 GET /': 'matchers of version 2 are accepted' },
    ],
    ['an invalid regular expression', { 'routers.bad.rule': 'PathRegexp(`(`)' }],
    ['an invalid address range', { 'routers.bad.rule': 'ClientIP(`nope`)' }],
    ['a path without slash', { 'routers.bad.rule': 'Path(`a`)' }],
    ['an unknown middleware', { 'routers.bad.rule': 'Host(`a.test`)', 'routers.bad.middlewares': 'nope' }],
    ['an unknown service', { 'routers.bad.rule': 'Host(`a.test`)', 'routers.bad.service': 'nope' }],
    ['an unknown entry point', { 'routers.bad.rule': 'Host(`a.test`)', 'routers.bad.entrypoints': 'nope' }],
    ['one unknown entry point of two', { 'routers.bad.rule': 'Host(`a.test`)', 'routers.bad.entrypoints': 'nope,web' }],
    [
      'an unknown option of a router',
      { 'routers.bad.rule': 'Host(`a.test`)', 'routers.bad.nope': '1' },
      { 'GET /': 'unknown options are logged' },
    ],
    ['a priority that is not a number', { 'routers.bad.rule': 'Host(`a.test`)', 'routers.bad.priority': 'x' }],
    [
      'an unknown type of middleware',
      { 'routers.bad.rule': 'Host(`a.test`)', 'routers.bad.middlewares': 'm', 'middlewares.m.nope.x': '1' },
    ],
    [
      'a middleware without a value',
      { 'routers.bad.rule': 'Host(`a.test`)', 'routers.bad.middlewares': 'm', 'middlewares.m.addprefix.prefix': '' },
    ],
    [
      'a chain that contains itself',
      { 'routers.bad.rule': 'Host(`a.test`)', 'routers.bad.middlewares': 'm', 'middlewares.m.chain.middlewares': 'm' },
    ],
    [
      'two services without a service label',
      {
        'routers.bad.rule': 'Host(`a.test`)',
        'services.s1.loadbalancer.server.port': '{main}',
        'services.s2.loadbalancer.server.port': '{other}',
      },
    ],
    ['an invalid port', { 'routers.bad.rule': 'Host(`a.test`)', 'services.s.loadbalancer.server.port': 'x' }],
    [
      'an invalid scheme',
      { 'routers.bad.rule': 'Host(`a.test`)', 'services.s.loadbalancer.server.scheme': 'ftp' },
      { 'status: 500 | 404': 'the container is rejected' },
    ],
  ].map(([title, labels, differs]): LabelCase => ({
    title: title as string,
    ...(differs === undefined ? {} : { differs: differs as Readonly<Record<string, string>> }),
    containers: {
      bad: { labels: labels as Readonly<Record<string, string>> },
      good: { labels: { 'routers.good.rule': 'Host(`good.test`)' }, address: '127.0.0.2' },
    },
    requests: [
      { path: '/' },
      { path: '/', headers: { 'X-A': '1' } },
      { path: '/', host: 'good.test' },
      { path: '/', from: '127.0.0.2' },
    ],
  })),
  single(
    'a second router of the container that is valid',
    {
      'routers.bad.rule': 'Hosts(`a.test`)',
      'routers.good.rule': 'Host(`b.test`)',
    },
    [{ path: '/' }, { path: '/', host: 'b.test' }],
  ),
  {
    title: 'containers that define a router differently',
    containers: {
      one: { labels: { 'routers.r.rule': 'Host(`a.test`)' } },
      two: { labels: { 'routers.r.rule': 'Host(`b.test`)' }, address: '127.0.0.2' },
    },
    requests: hosts('a.test', 'b.test'),
    differs: { '1 GET /': 'the definition of the first container by name applies' },
  },
  {
    title: 'containers that define a middleware differently',
    containers: {
      one: {
        labels: {
          'routers.one.rule': 'Host(`a.test`)',
          'routers.one.middlewares': 'm',
          'middlewares.m.addprefix.prefix': '/1',
        },
      },
      two: {
        labels: {
          'routers.two.rule': 'Host(`b.test`)',
          'routers.two.middlewares': 'm',
          'middlewares.m.addprefix.prefix': '/2',
        },
        address: '127.0.0.2',
      },
    },
    requests: hosts('a.test', 'b.test'),
    differs: { '1 GET /': 'the definition of the first container by name applies' },
  },
];
