/** Middlewares. */
import { middleware, single, type LabelCase } from './cases.ts';

const router = { 'routers.r.rule': 'Host(`a.test`)' };
const basic = (text: string) => ({ Authorization: `Basic ${Buffer.from(text).toString('base64')}` });
/** Password: secret. */
const users = 'bob:$apr1$YK1ODjFk$FtJ2F.ODmZXs/BrvIK5OJ0,eve:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=';
const preflight = (origin: string) => ({
  path: '/',
  method: 'OPTIONS',
  headers: {
    Origin: origin,
    'Access-Control-Request-Method': 'PUT',
    'Access-Control-Request-Headers': 'X-A',
  },
});

export const middlewareCases: readonly LabelCase[] = [
  middleware(
    'stripprefix',
    { 'stripprefix.prefixes': '/a,/bb' },
    ['/a', '/a/', '/a/x?y=1', '/ab', '/bb/x', '/c/a', '/a//x', '/a/a/x', '/a/%C3%A4%20b', '/a%2Fx', '/%61/x', '/?x'],
    { '/a%2Fx sent url': 'encoded slashes remain', '/%61/x sent url': 'encoded prefixes remain' },
  ),
  middleware('stripprefix with a trailing slash', { 'stripprefix.prefixes': '/a/' }, ['/a', '/a/', '/a/x', '/a//x']),
  middleware('stripprefix with prefixes of another', { 'stripprefix.prefixes': '/a,/a/b' }, ['/a/b/c', '/a/x']),
  middleware('stripprefixregex', { 'stripprefixregex.regex': '/v[0-9]+' }, [
    '/v1/x?y=1',
    '/v12',
    '/v1x/y',
    '/x/v1/y',
    '/v/x',
    '/v1/%20',
  ]),
  middleware('addprefix', { 'addprefix.prefix': '/p' }, ['/', '/x?y=1', '/a%20b/%C3%A4', '/a%2Fb', '/?x']),
  middleware('addprefix without a slash', { 'addprefix.prefix': 'p' }, ['/', '/x']),
  middleware('replacepath', { 'replacepath.path': '/new' }, ['/', '/x?y=1', '/a%20b']),
  middleware('replacepath with a query', { 'replacepath.path': '/new?z=1' }, ['/x?y=1', '/x']),
  middleware('replacepathregex', { 'replacepathregex.regex': '^/a/(.*)', 'replacepathregex.replacement': '/b/$1' }, [
    '/a/x?y=1',
    '/c/x',
    '/a/',
    '/a/a%20b',
  ]),
  middleware(
    'replacepathregex with groups',
    { 'replacepathregex.regex': '/(\\w+)/(?P<id>\\d+)', 'replacepathregex.replacement': '/${id}/$1' },
    ['/a/1', '/a/1/b/2', '/a/x'],
  ),
  middleware('redirectscheme', { 'redirectscheme.scheme': 'https' }, [
    '/x?y=1',
    { path: '/', method: 'POST', body: 'x' },
    { path: '/', method: 'HEAD' },
    { path: '/', host: 'a.test:8080' },
    { path: '/', headers: { 'X-Forwarded-Proto': 'https' } },
    '/a%20b/%C3%A4',
  ]),
  middleware(
    'redirectscheme with a port',
    { 'redirectscheme.scheme': 'https', 'redirectscheme.port': '8443', 'redirectscheme.permanent': 'true' },
    ['/x?y=1', { path: '/', method: 'POST', body: 'x' }, { path: '/', method: 'PUT', body: 'x' }],
  ),
  middleware('redirectscheme with the port 443', { 'redirectscheme.scheme': 'https', 'redirectscheme.port': '443' }, [
    '/',
  ]),
  middleware('redirectscheme to the same scheme', { 'redirectscheme.scheme': 'http' }, ['/']),
  middleware(
    'redirectregex',
    { 'redirectregex.regex': '^http://a.test(?::\\d+)?/(.*)', 'redirectregex.replacement': 'https://b.test/${1}' },
    ['/x?y=1', '/', { path: '/', method: 'POST', body: 'x' }, '/a%20b', { path: '/z', host: 'a.test:8080' }],
  ),
  middleware(
    'redirectregex within the URL',
    { 'redirectregex.regex': '/old/', 'redirectregex.replacement': '/new/', 'redirectregex.permanent': 'true' },
    ['/old/x', '/old/old/x', '/x'],
  ),
  middleware(
    'redirectregex with named groups',
    {
      'redirectregex.regex': '^http://(?P<host>[^/:]+)[^/]*/u/(?P<id>\\d+)',
      'redirectregex.replacement': 'https://${host}/users?id=${id}',
    },
    ['/u/12', '/u/x'],
  ),
  middleware('basicauth', { 'basicauth.users': users }, [
    '/',
    { path: '/', headers: basic('bob:secret') },
    { path: '/', headers: basic('bob:wrong') },
    { path: '/', headers: basic('eve:secret') },
    { path: '/', headers: { Authorization: 'Bearer x' } },
  ]),
  middleware(
    'basicauth with options',
    {
      'basicauth.users': users,
      'basicauth.realm': 'My "realm"',
      'basicauth.headerfield': 'X-User',
      'basicauth.removeheader': 'true',
    },
    ['/', { path: '/', headers: { ...basic('bob:secret'), 'X-User': 'evil' } }],
    { 'response www-authenticate': 'quotes in the realm are removed' },
  ),
  middleware('basicauth without users', { 'basicauth.users': '' }, ['/']),
  middleware('digestauth', { 'digestauth.users': 'bob:traefik:5d5d4a1a1a8e7f5f4b0a0c5a1c9e9b7d' }, ['/'], {
    status: 'routers with digestauth are rejected',
    'response www-authenticate': 'routers with digestauth are rejected',
  }),
  middleware(
    'headers: custom fields',
    {
      'headers.customrequestheaders.X-A': '1',
      'headers.customrequestheaders.X-Remove': '',
      'headers.customrequestheaders.Host': 'b.test',
      'headers.customresponseheaders.X-B': 'with {braces} and ${dollar}',
      'headers.customresponseheaders.X-From-Upstream': 'changed',
      'headers.customresponseheaders.X-None': '',
    },
    [{ path: '/', headers: { 'X-Remove': '1', 'X-A': '0' } }, '/status/404'],
  ),
  middleware('headers: a deleted response field', { 'headers.customresponseheaders.Content-Type': '' }, ['/']),
  middleware(
    'headers: security',
    {
      'headers.framedeny': 'true',
      'headers.contenttypenosniff': 'true',
      'headers.browserxssfilter': 'true',
      'headers.referrerpolicy': 'same-origin',
      'headers.contentsecuritypolicy': "default-src 'self'",
      'headers.contentsecuritypolicyreportonly': "default-src 'none'",
      'headers.permissionspolicy': 'camera=()',
      'headers.stsseconds': '100',
      'headers.stsincludesubdomains': 'true',
    },
    ['/', '/status/500', { path: '/', headers: { 'X-Forwarded-Proto': 'https' } }],
  ),
  middleware(
    'headers: own security values',
    {
      'headers.framedeny': 'true',
      'headers.customframeoptionsvalue': 'SAMEORIGIN',
      'headers.browserxssfilter': 'true',
      'headers.custombrowserxssvalue': '0',
      'headers.stsseconds': '100',
      'headers.stspreload': 'true',
      'headers.forcestsheader': 'true',
    },
    ['/'],
  ),
  middleware('headers: allowed hosts', { 'headers.allowedhosts': 'b.test', 'headers.framedeny': 'true' }, ['/']),
  middleware('headers: sslredirect', { 'headers.sslredirect': 'true' }, ['/x?y=1']),
  middleware(
    'headers: CORS',
    {
      'headers.accesscontrolalloworiginlist': 'https://x.test,https://y.test',
      'headers.accesscontrolallowmethods': 'GET,PUT',
      'headers.accesscontrolallowheaders': 'X-A,X-B',
      'headers.accesscontrolexposeheaders': 'X-C',
      'headers.accesscontrolallowcredentials': 'true',
      'headers.accesscontrolmaxage': '100',
      'headers.addvaryheader': 'true',
    },
    [
      preflight('https://x.test'),
      preflight('https://z.test'),
      '/',
      { path: '/', headers: { Origin: 'https://x.test' } },
      { path: '/', headers: { Origin: 'https://z.test' } },
      { path: '/', method: 'OPTIONS', headers: { Origin: 'https://x.test' } },
      { path: '/', method: 'OPTIONS', headers: { 'Access-Control-Request-Method': 'GET' } },
    ],
  ),
  middleware(
    'headers: CORS for all origins',
    { 'headers.accesscontrolalloworiginlist': '*', 'headers.accesscontrolallowmethods': '*' },
    [preflight('https://x.test'), '/', { path: '/', headers: { Origin: 'https://x.test' } }],
  ),
  middleware(
    'headers: CORS with a regular expression',
    {
      'headers.accesscontrolalloworiginlistregex': 'https://.*\\.x\\.test',
      'headers.accesscontrolallowmethods': 'GET',
    },
    [
      preflight('https://a.x.test'),
      { path: '/', headers: { Origin: 'https://a.x.test' } },
      { path: '/', headers: { Origin: 'https://z.test' } },
    ],
  ),
  middleware(
    'compress',
    { compress: 'true' },
    [
      { path: '/size/5000', headers: { 'Accept-Encoding': 'gzip' } },
      { path: '/size/5000', headers: { 'Accept-Encoding': 'gzip, br, zstd' } },
      { path: '/size/5000', headers: { 'Accept-Encoding': 'gzip, br' } },
      { path: '/size/5000', headers: { 'Accept-Encoding': 'deflate' } },
      { path: '/size/100', headers: { 'Accept-Encoding': 'gzip' } },
      { path: '/size/5000' },
      { path: '/size/5000', headers: { 'Accept-Encoding': '*' } },
    ],
    {
      'response content-encoding': 'zstd is preferred',
      'response vary': 'only responses that depend on the encoding have it',
    },
  ),
  middleware(
    'compress with options',
    { 'compress.minresponsebodybytes': '50', 'compress.encodings': 'gzip' },
    [
      { path: '/size/100', headers: { 'Accept-Encoding': 'gzip, zstd' } },
      { path: '/size/40', headers: { 'Accept-Encoding': 'gzip' } },
    ],
    { 'response vary': 'only responses that depend on the encoding have it' },
  ),
  middleware(
    'compress with excluded types',
    { 'compress.excludedcontenttypes': 'text/plain' },
    [{ path: '/size/5000', headers: { 'Accept-Encoding': 'gzip' } }],
    { 'response content-encoding': 'excluded types are not supported' },
  ),
  middleware('ratelimit', { 'ratelimit.average': '1', 'ratelimit.period': '1m', 'ratelimit.burst': '2' }, [
    { path: '/', times: 4 },
    { path: '/', from: '127.0.0.2' },
  ]),
  middleware(
    'ratelimit by a header field',
    {
      'ratelimit.average': '1',
      'ratelimit.period': '1m',
      'ratelimit.sourcecriterion.requestheadername': 'X-User',
    },
    [
      { path: '/', headers: { 'X-User': 'a' }, times: 2 },
      { path: '/', headers: { 'X-User': 'b' } },
    ],
  ),
  middleware('ratelimit without average', { 'ratelimit.burst': '1' }, [{ path: '/', times: 4 }]),
  middleware('ipallowlist', { 'ipallowlist.sourcerange': '127.0.0.2, 10.0.0.0/8' }, [
    '/',
    { path: '/', from: '127.0.0.2' },
    { path: '/', headers: { 'X-Forwarded-For': '10.0.0.1' } },
  ]),
  middleware(
    'ipallowlist with a status',
    { 'ipallowlist.sourcerange': '127.0.0.2', 'ipallowlist.rejectstatuscode': '404' },
    ['/'],
  ),
  middleware(
    'ipallowlist with a depth',
    { 'ipallowlist.sourcerange': '10.0.0.0/8', 'ipallowlist.ipstrategy.depth': '1' },
    ['/', { path: '/', headers: { 'X-Forwarded-For': '10.0.0.1' } }],
    { 'status: 403 | 404': 'routers with a strategy are rejected' },
  ),
  middleware(
    'forwardauth',
    {
      'forwardauth.address': 'http://127.0.0.2:{main}/auth/x?y=1',
      'forwardauth.authresponseheaders': 'X-User,X-Seen',
    },
    [
      '/',
      { path: '/p?q=1', headers: { 'X-Secret': 'yes', 'X-User': 'evil' } },
      { path: '/p', method: 'POST', body: 'text', headers: { 'X-Secret': 'yes' } },
      { path: '/p', method: 'POST', body: 'text' },
    ],
  ),
  middleware('forwardauth that redirects', { 'forwardauth.address': 'http://127.0.0.2:{main}/status/302' }, ['/'], {
    'sent user-agent': 'no field is added',
  }),
  middleware('forwardauth that is not available', { 'forwardauth.address': 'http://127.0.0.9:{main}/' }, ['/'], {
    'status: 500 | 502': 'the status of the proxy applies',
  }),
  {
    title: 'retry',
    containers: Object.fromEntries(
      ['127.0.0.1', '127.0.0.9'].map((address, i) => [
        `app-${i}`,
        {
          labels: {
            ...router,
            'routers.r.middlewares': 'm',
            'middlewares.m.retry.attempts': '3',
            'services.s.loadbalancer.server.port': '{main}',
          },
          address,
        },
      ]),
    ),
    requests: [
      { path: '/', times: 4 },
      { path: '/', method: 'POST', body: 'text', times: 2 },
      { path: '/status/503', times: 2 },
    ],
  },
  middleware('inflightreq', { 'inflightreq.amount': '2' }, [
    { path: '/slow', times: 4, together: true },
    { path: '/slow', times: 2, together: true },
  ]),
  middleware('buffering', { 'buffering.maxrequestbodybytes': '10' }, [
    { path: '/', method: 'POST', body: '1234567890' },
    { path: '/', method: 'POST', body: '12345678901' },
    { path: '/', method: 'POST', body: '12345678901', headers: { 'Transfer-Encoding': 'chunked' } },
    '/',
  ]),
  middleware('buffering of responses', { 'buffering.maxresponsebodybytes': '10' }, ['/size/5', '/size/50'], {
    '2 GET /size/50': 'responses are not limited',
  }),
  single(
    'chain',
    {
      ...router,
      'routers.r.middlewares': 'c',
      'middlewares.c.chain.middlewares': 'p@docker,s,q',
      'middlewares.p.addprefix.prefix': '/p',
      'middlewares.s.stripprefix.prefixes': '/p/a',
      'middlewares.q.addprefix.prefix': '/q',
    },
    ['/a/b', '/x'],
  ),
  single(
    'middlewares in order',
    {
      ...router,
      'routers.r.middlewares': 'two, one',
      'middlewares.one.addprefix.prefix': '/1',
      'middlewares.two.addprefix.prefix': '/2',
    },
    ['/'],
  ),
  {
    title: 'a middleware of another container',
    containers: {
      one: { labels: { ...router, 'routers.r.middlewares': 'm@docker' } },
      two: {
        labels: { 'routers.two.rule': 'Host(`b.test`)', 'middlewares.m.addprefix.prefix': '/m' },
        address: '127.0.0.2',
      },
    },
    requests: [{ path: '/' }],
  },
  middleware(
    'errors',
    { 'errors.status': '500-599,404', 'errors.service': 'app', 'errors.query': '/page/{status}?url={url}' },
    ['/status/503', '/status/404', '/status/403', '/', { path: '/status/500?x=y', method: 'POST', body: 'text' }],
    { 'sent x-forwarded-for': 'the proxy sets it for pages, too' },
  ),
  {
    title: 'errors for a container that does not respond',
    containers: {
      app: {
        labels: {
          ...router,
          'routers.r.service': 'app',
          'routers.r.middlewares': 'm',
          'middlewares.m.errors.status': '502',
          'middlewares.m.errors.service': 'pages',
          'middlewares.m.errors.query': '/page/{status}',
          'services.app.loadbalancer.server.port': '{main}',
        },
        address: '127.0.0.9',
      },
      pages: { labels: { 'services.pages.loadbalancer.server.port': '{main}' }, address: '127.0.0.2' },
    },
    requests: [{ path: '/' }],
    differs: { 'sent x-forwarded-for': 'the proxy sets it for pages, too' },
  },
  single(
    'errors after another middleware',
    {
      ...router,
      'routers.r.middlewares': 'm,auth',
      'middlewares.auth.basicauth.users': users,
      'middlewares.m.errors.status': '401',
      'middlewares.m.errors.service': 'app',
      'middlewares.m.errors.query': '/login',
    },
    ['/', { path: '/', headers: basic('bob:secret') }],
    { 'sent x-forwarded-for': 'the proxy sets it for pages, too' },
  ),
  middleware('circuitbreaker', { 'circuitbreaker.expression': 'NetworkErrorRatio() > 0.5' }, ['/', '/status/500']),
  middleware('contenttype', { 'contenttype.autodetect': 'false' }, ['/']),
  middleware('passtlsclientcert', { 'passtlsclientcert.pem': 'true' }, ['/'], {
    '1 GET /': 'routers with passtlsclientcert are rejected',
  }),
];
