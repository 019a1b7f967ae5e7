/** Services. */
import { single, type LabelCase } from './cases.ts';

const router = { 'routers.r.rule': 'Host(`a.test`)' };
const service = (options: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(options).map(([name, value]) => [`services.s.loadbalancer.${name}`, value]));
const shared = { ...router, ...service({ 'server.port': '{main}' }) };

export const serviceCases: readonly LabelCase[] = [
  single('a router without a service', router, ['/']),
  single('server.port', { ...router, ...service({ 'server.port': '{other}' }) }, ['/']),
  single('server.scheme=h2c', { ...router, ...service({ 'server.port': '{h2c}', 'server.scheme': 'h2c' }) }, [
    '/x?y=1',
    { path: '/', method: 'POST', body: 'text' },
  ]),
  single('server.url', { ...router, ...service({ 'server.url': 'http://127.0.0.2:{main}' }) }, ['/']),
  single('passhostheader=false', { ...router, ...service({ 'server.port': '{main}', passhostheader: 'false' }) }, [
    '/',
  ]),
  single('forwarded header fields', router, [
    {
      path: '/',
      headers: {
        'X-Forwarded-For': '1.2.3.4',
        'X-Forwarded-Proto': 'https',
        'X-Forwarded-Host': 'evil.test',
        'X-Forwarded-Port': '1',
        'X-Forwarded-Prefix': '/evil',
        'X-Forwarded-Uri': '/evil',
        'X-Forwarded-Server': 'evil',
        'X-Real-Ip': '1.2.3.4',
        Forwarded: 'for=1.2.3.4',
      },
    },
    { path: '/', host: 'a.test:8080', from: '127.0.0.3' },
  ]),
  single(
    'request fields',
    router,
    [
      {
        path: '/',
        headers: {
          Te: 'trailers',
          Connection: 'X-Drop',
          'X-Drop': '1',
          'Proxy-Authorization': 'Basic eA==',
          'Proxy-Connection': 'close',
          'Accept-Encoding': 'gzip',
          Cookie: 'a=1; b=2',
          'User-Agent': 'test/1',
          x_under: '1',
        },
      },
    ],
    { 'sent x_under': 'fields with underscores are not forwarded' },
  ),
  single('methods and bodies', router, [
    { path: '/', method: 'POST', body: 'text' },
    { path: '/', method: 'DELETE' },
    { path: '/', method: 'OPTIONS' },
    { path: '/status/204' },
    { path: '/status/304' },
    { path: '/status/500' },
    { path: '/', method: 'HEAD' },
  ]),
  single('two routers of one service', { 'routers.r1.rule': 'Host(`a.test`)', 'routers.r2.rule': 'Host(`b.test`)' }, [
    '/',
    { path: '/', host: 'b.test' },
  ]),
  single(
    'two services of a container',
    {
      'routers.r1.rule': 'Host(`a.test`)',
      'routers.r1.service': 's1',
      'routers.r2.rule': 'Host(`b.test`)',
      'routers.r2.service': 's2',
      'services.s1.loadbalancer.server.port': '{main}',
      'services.s2.loadbalancer.server.port': '{other}',
    },
    ['/', { path: '/', host: 'b.test' }],
  ),
  single('a service with @docker', { ...shared, 'routers.r.service': 's@docker' }, ['/']),
  single(
    'names with upper case',
    {
      'routers.R.rule': 'Host(`a.test`)',
      'routers.R.service': 'Shop',
      'services.shop.LoadBalancer.server.port': '{other}',
    },
    ['/'],
    { '1 GET /': 'references are case-insensitive' },
  ),
  {
    title: 'a service of another container',
    containers: {
      one: { labels: { 'routers.r.rule': 'Host(`a.test`)', 'routers.r.service': 'two' } },
      two: { labels: { 'services.two.loadbalancer.server.port': '{main}' }, address: '127.0.0.2' },
    },
    requests: [{ path: '/' }],
  },
  {
    title: 'containers of one service',
    containers: { one: { labels: shared }, two: { labels: shared, address: '127.0.0.2' } },
    requests: [{ path: '/', times: 6, unordered: true }],
  },
  {
    title: 'containers of a Compose service',
    containers: Object.fromEntries(
      ['127.0.0.1', '127.0.0.2'].map((address, i) => [
        `shop-web-${i + 1}`,
        {
          labels: {
            'com.docker.compose.project': 'shop',
            'com.docker.compose.service': 'web',
            'traefik.enable': 'true',
          },
          address,
        },
      ]),
    ),
    requests: [{ path: '/', host: 'web-shop', times: 6, unordered: true }],
  },
  {
    title: 'server.weight',
    containers: {
      one: { labels: { ...shared, ...service({ 'server.weight': '3' }) } },
      two: { labels: { ...shared, ...service({ 'server.weight': '1' }) }, address: '127.0.0.2' },
    },
    requests: [{ path: '/', times: 8, unordered: true }],
  },
  {
    title: 'a container that does not respond',
    containers: { one: { labels: shared }, two: { labels: shared, address: '127.0.0.9' } },
    requests: [{ path: '/', times: 4, unordered: true }],
  },
  {
    title: 'a sticky cookie',
    containers: { one: { labels: { ...shared, ...service({ 'sticky.cookie': 'true' }) } } },
    requests: [{ path: '/status/201' }],
    differs: { 'response set-cookie': 'the name and the attributes are others' },
  },
  ...[
    { 'sticky.cookie.name': 'lb' },
    { 'sticky.cookie.name': 'lb', 'sticky.cookie.secure': 'true', 'sticky.cookie.httponly': 'true' },
    { 'sticky.cookie.name': 'lb', 'sticky.cookie.samesite': 'strict', 'sticky.cookie.maxage': '60' },
    { 'sticky.cookie.name': 'lb', 'sticky.cookie.path': '/x', 'sticky.cookie.domain': 'a.test' },
  ].map((options): LabelCase => ({
    title: `a sticky cookie with ${Object.keys(options).join(', ')}`,
    containers: { one: { labels: { ...shared, ...service(options) } } },
    requests: [{ path: '/' }, { path: '/', cookies: true }, { path: '/', headers: { Cookie: 'lb=nope; x=1' } }],
    differs: {
      'response set-cookie': 'HttpOnly, Secure and SameSite depend on the connection',
      'sent cookie': 'values have another format',
    },
  })),
  {
    title: 'health checks',
    containers: Object.fromEntries(
      ['127.0.0.1', '127.0.0.2'].map((address, i) => [
        `app-${i}`,
        {
          labels: {
            ...shared,
            ...service({ 'healthcheck.path': '/up', 'healthcheck.interval': '100ms', 'healthcheck.timeout': '1s' }),
          },
          address,
        },
      ]),
    ),
    unhealthy: ['127.0.0.2 main'],
    delay: 600,
    requests: [{ path: '/', times: 4 }],
  },
  {
    title: 'health checks that all fail',
    containers: {
      app: { labels: { ...shared, ...service({ 'healthcheck.path': '/up', 'healthcheck.interval': '100ms' }) } },
    },
    unhealthy: ['127.0.0.1 main'],
    delay: 600,
    requests: [{ path: '/', times: 2 }],
  },
  {
    title: 'an unhealthy container of two',
    containers: {
      one: { labels: shared, health: 'healthy' },
      two: { labels: shared, address: '127.0.0.2', health: 'unhealthy' },
    },
    requests: [{ path: '/', times: 4 }],
  },
  {
    title: 'a container whose health check is starting',
    containers: { one: { labels: shared, health: 'starting' } },
    requests: [{ path: '/' }],
  },
];
