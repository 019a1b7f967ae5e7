import { expect } from 'chai';
import { register as registerHandlers } from '@sluice/http.handlers';
import { register as registerMatchers } from '@sluice/http.matchers';
import { register as registerProxy } from '@sluice/http.reverse_proxy';
import { serve, withRoutes, type TestRequest } from '@sluice/testing';
import type { FakeObject } from './fake-api-server.ts';
import { gateway, httpListener, pathMatch, route, tlsSecret } from './objects.ts';
import { translate } from './translate.ts';

/** Returns a rule with a response that contains the rule name. */
const rule = (name: string, ...matches: readonly object[]): object => ({
  ...(matches.length === 0 ? {} : { matches }),
  filters: [{ type: 'RequestRedirect', requestRedirect: { hostname: name } }],
});

const redirectRule = (match: object, options: object): object => ({
  matches: [match],
  filters: [{ type: 'RequestRedirect', requestRedirect: options }],
});

/** Sends requests. Returns the `Location` of each response without its scheme, or the response status if there is none. */
async function responses(
  routes: readonly FakeObject[],
  requests: readonly TestRequest[],
  listeners: readonly object[] = [httpListener('http')],
): Promise<readonly string[]> {
  const { servers } = translate({ gateways: [gateway('gateway', listeners)], routes, secrets: [tlsSecret('cert')] });
  const server = await serve(withRoutes([...servers.values()].flat()), {
    register: [registerHandlers, registerMatchers, registerProxy],
  });
  try {
    const found: string[] = [];
    for (const request of requests) {
      const { status, headers } = await server.request(request);
      found.push(headers.get('location')?.replace(/^http:\/\//, '') ?? String(status));
    }
    return found;
  } finally {
    await server.close();
  }
}

const hostOf = (location: string): string => location.split('/')[0] ?? '';
const at = (path: string, options: Partial<TestRequest> = {}): TestRequest => ({ path, host: 'a.test', ...options });

describe('matching of HTTPRoutes', () => {
  it('HTTPRoute paths match exactly or by whole segments, and are case-sensitive', async () => {
    const routes = [
      route('r', [
        rule('exact', pathMatch('/one', 'Exact')),
        rule('prefix', pathMatch('/two')),
        rule('re', pathMatch('/v[0-9]+', 'RegularExpression')),
      ]),
    ];
    const paths = ['/one', '/One', '/one/', '/two', '/two/', '/two/x', '/twox', '/TWO', '/v12', '/v12/x', '/'];
    const found = await responses(
      routes,
      paths.map((path) => at(path)),
    );
    expect(Object.fromEntries(paths.map((path, i) => [path, hostOf(found[i] ?? '')]))).to.deep.equal({
      '/one': 'exact',
      '/One': '404',
      '/one/': '404',
      '/two': 'prefix',
      '/two/': 'prefix',
      '/two/x': 'prefix',
      '/twox': '404',
      '/TWO': '404',
      '/v12': 're',
      '/v12/x': '404',
      '/': '404',
    });
  });

  it('exact HTTPRoute paths precede prefixes, and longer prefixes precede shorter prefixes, across routes', async () => {
    const routes = [
      route('a', [rule('root', pathMatch('/')), rule('long', pathMatch('/app/long'))]),
      route('b', [rule('app', pathMatch('/app')), rule('exact', pathMatch('/app/long', 'Exact'))]),
    ];
    const found = await responses(routes, [at('/x'), at('/app/y'), at('/app/long/z'), at('/app/long')]);
    expect(found.map(hostOf)).to.deep.equal(['root', 'app', 'long', 'exact']);
  });

  it('HTTPRoute precedence depends on the method, the number of headers and the number of query parameters, in this order', async () => {
    const header = (name: string): object => ({ type: 'Exact', name, value: '1' });
    const routes = [
      route('a', [
        rule('plain', pathMatch('/')),
        rule('query', { ...pathMatch('/'), queryParams: [header('q')] }),
        rule('two', { ...pathMatch('/'), headers: [header('a'), header('b')] }),
        rule('one', { ...pathMatch('/'), headers: [header('a')] }),
        rule('post', { ...pathMatch('/'), method: 'POST' }),
      ]),
    ];
    const found = await responses(routes, [
      at('/'),
      at('/?q=1'),
      at('/?q=1', { headers: { A: '1' } }),
      at('/', { headers: { A: '1', B: '1' } }),
      at('/', { method: 'POST', headers: { A: '1', B: '1' } }),
      at('/?q=2', { headers: { A: '2' } }),
    ]);
    expect(found.map(hostOf)).to.deep.equal(['plain', 'query', 'one', 'two', 'post', 'plain']);
  });

  it('older HTTPRoutes precede newer HTTPRoutes, and names break ties', async () => {
    const dated = (name: string, creationTimestamp: string): FakeObject => ({
      ...route(name, [rule(name, pathMatch('/'))]),
      metadata: { name, namespace: 'web', creationTimestamp },
    });
    const routes = [
      dated('c', '2026-01-02T00:00:00Z'),
      dated('b', '2026-01-01T00:00:00Z'),
      dated('a', '2026-01-02T00:00:00Z'),
    ];
    expect((await responses(routes, [at('/')])).map(hostOf)).to.deep.equal(['b']);
    expect(
      (
        await responses(
          [routes[0], routes[2]].flatMap((each) => each ?? []),
          [at('/')],
        )
      ).map(hostOf),
    ).to.deep.equal(['a']);
  });

  it('wildcard hostnames of HTTPRoutes match several labels, and exact hostnames precede wildcard hostnames', async () => {
    const routes = [
      route('wild', [rule('wild')], { hostnames: ['*.example.com'] }),
      route('deep', [rule('deep')], { hostnames: ['*.b.example.com'] }),
      route('exact', [rule('exact')], { hostnames: ['a.example.com'] }),
      route('all', [rule('all')]),
    ];
    const hosts = [
      'a.example.com',
      'x.example.com',
      'x.y.example.com',
      'x.b.example.com',
      'example.com',
      'A.Example.Com',
      'axexample.com',
    ];
    const found = await responses(
      routes,
      hosts.map((host) => ({ path: '/', host })),
    );
    expect(found.map(hostOf)).to.deep.equal(['exact', 'wild', 'wild', 'deep', 'all', 'exact', 'all']);
  });

  it('a request for a more specific Gateway listener does not match routes of another listener', async () => {
    const listeners = [
      httpListener('any'),
      httpListener('wild', { hostname: '*.example.com' }),
      httpListener('exact', { hostname: 'a.example.com' }),
    ];
    const to = (sectionName: string): object => ({ parentRefs: [{ name: 'gateway', sectionName }] });
    const routes = [
      route('any', [rule('any', pathMatch('/any'))], to('any')),
      route('wild', [rule('wild', pathMatch('/wild'))], to('wild')),
      route('exact', [rule('exact', pathMatch('/exact'))], to('exact')),
    ];
    const found: Record<string, string> = {};
    for (const host of ['other.test', 'x.example.com', 'a.example.com'])
      found[host] = (
        await responses(
          routes,
          ['/any', '/wild', '/exact'].map((path) => ({ path, host })),
          listeners,
        )
      )
        .map(hostOf)
        .join(' ');
    expect(found).to.deep.equal({
      'other.test': 'any 404 404',
      'x.example.com': '404 wild 404',
      'a.example.com': '404 404 exact',
    });
  });

  it('a request whose host matches no listener of a Gateway gets a 404', async () => {
    const routes = [route('r', [rule('all')])];
    const listeners = [httpListener('a', { hostname: 'a.test' }), httpListener('b', { hostname: '*.b.test' })];
    const found = await responses(
      routes,
      ['a.test', 'x.b.test', 'c.test'].map((host) => ({ path: '/', host })),
      listeners,
    );
    expect(found.map(hostOf)).to.deep.equal(['all', 'all', '404']);
  });

  it('a request for one HTTPS listener of a Gateway is rejected with 421 on a connection to another listener', async () => {
    const https = (name: string, hostname?: string): object =>
      httpListener(name, { protocol: 'HTTPS', port: 443, tls: { certificateRefs: [{ name: 'cert' }] }, hostname });
    const listeners = [https('any'), https('wild', '*.b.test'), https('exact', 'a.b.test'), https('other', 'c.test')];
    const requests: [serverName: string, host: string, result: string][] = [
      ['x.test', 'x.test', 'all'],
      ['x.test', 'y.test', 'all'],
      ['', 'x.test', 'all'],
      ['c.test', 'c.test', 'all'],
      ['c.test', 'a.b.test', '421'],
      ['c.test', 'x.test', '421'],
      ['x.test', 'c.test', '421'],
      ['x.b.test', 'y.b.test', 'all'],
      ['x.b.test', 'a.b.test', '421'],
      ['a.b.test', 'y.b.test', '421'],
      ['a.b.test', 'a.b.test', 'all'],
    ];
    const found = await responses(
      [route('r', [rule('all')])],
      requests.map(([serverName, host]) => ({ path: '/', host, connection: { tls: { serverName } as never } })),
      listeners,
    );
    expect(found.map((each) => hostOf(each.replace('https://', '')))).to.deep.equal(
      requests.map(([, , result]) => result),
    );
  });

  it('values in an HTTPRoute cannot contain placeholders', async () => {
    const routes = [
      route('r', [
        redirectRule(pathMatch('/path'), {
          path: { type: 'ReplaceFullPath', replaceFullPath: '/{env.PATH}' },
          hostname: 'x.test',
        }),
        {
          matches: [pathMatch('/header')],
          filters: [
            {
              type: 'ResponseHeaderModifier',
              responseHeaderModifier: { set: [{ name: 'Location', value: String.raw`{env.PATH}\{env.PATH}` }] },
            },
          ],
        },
        rule('never', {
          ...pathMatch('/match'),
          headers: [{ type: 'Exact', name: 'a', value: '{http.request.host}' }],
        }),
      ]),
    ];
    const found = await responses(routes, [at('/path'), at('/match', { headers: { A: 'a.test' } }), at('/header')]);
    expect(found).to.deep.equal(['x.test/%7Benv.PATH%7D', '404', String.raw`{env.PATH}\{env.PATH}`]);
  });

  const rewrites: [request: string, prefix: string, replacement: string, result: string][] = [
    ['/foo/bar', '/foo', '/xyz', '/xyz/bar'],
    ['/foo/bar', '/foo', '/xyz/', '/xyz/bar'],
    ['/foo/bar', '/foo/', '/xyz', '/xyz/bar'],
    ['/foo', '/foo', '/xyz', '/xyz'],
    ['/foo/', '/foo', '/xyz', '/xyz/'],
    ['/foo/bar', '/foo', '', '/bar'],
    ['/foo/', '/foo', '', '/'],
    ['/foo', '/foo', '/', '/'],
    ['/foo?a=$1', '/foo', '/$1', '/$1?a=$1'],
    ['/foo/bar', '/', '/xyz', '/xyz/foo/bar'],
  ];
  for (const [request, prefix, replacement, result] of rewrites)
    it(`ReplacePrefixMatch ${JSON.stringify(replacement)} for prefix ${prefix} converts ${request} to ${result}`, async () => {
      const path = { type: 'ReplacePrefixMatch', replacePrefixMatch: replacement };
      const routes = [route('r', [redirectRule(pathMatch(prefix), { path })])];
      expect(await responses(routes, [at(request)])).to.deep.equal([`a.test${result}`]);
    });

  it('HTTPRoute redirects use the port of the listener unless the redirect changes the scheme', async () => {
    const port8080 = [httpListener('http', { port: 80 })];
    const routes = [
      route('r', [
        redirectRule(pathMatch('/same'), { hostname: 'x.test' }),
        redirectRule(pathMatch('/port'), { port: 8080 }),
        redirectRule(pathMatch('/secure'), { scheme: 'https' }),
        redirectRule(pathMatch('/secure-port'), { scheme: 'https', port: 8443 }),
      ]),
    ];
    const found = await responses(routes, [at('/same?q'), at('/port'), at('/secure'), at('/secure-port')], port8080);
    expect(found).to.deep.equal([
      'x.test/same?q',
      'a.test:8080/port',
      'https://a.test/secure',
      'https://a.test:8443/secure-port',
    ]);
  });

  it('the CORS filter of an HTTPRoute responds to preflight requests from allowed origins', async () => {
    const cors = {
      allowOrigins: ['https://*.b.test'],
      allowMethods: ['GET', 'PUT'],
      allowHeaders: ['*'],
      allowCredentials: true,
    };
    const { servers } = translate({
      gateways: [gateway('gateway', [httpListener('http')])],
      routes: [route('r', [{ filters: [{ type: 'CORS', cors }] }])],
    });
    const server = await serve(withRoutes([...servers.values()].flat()), {
      register: [registerHandlers, registerMatchers],
    });
    try {
      const ask = async (method: string, origin: string): Promise<readonly unknown[]> => {
        const fields = {
          Origin: origin,
          'Access-Control-Request-Method': 'PUT',
          'Access-Control-Request-Headers': 'x',
        };
        const { status, headers } = await server.request({
          method,
          headers: method === 'GET' ? { Origin: origin } : fields,
        });
        const names = ['allow-origin', 'allow-methods', 'allow-headers', 'allow-credentials', 'max-age'];
        return [status, ...names.map((name) => headers.get(`access-control-${name}`) ?? '')];
      };
      const origin = 'https://a.a.b.test';
      expect(await ask('OPTIONS', origin)).to.deep.equal([204, origin, 'GET, PUT', 'x', 'true', '5']);
      expect(await ask('OPTIONS', 'https://b.test')).to.deep.equal([204, '', '', '', '', '']);
      expect(await ask('OPTIONS', 'https://xb.test')).to.deep.equal([204, '', '', '', '', '']);
      expect(await ask('GET', origin)).to.deep.equal([500, origin, '', '', 'true', '']);
      expect(await ask('GET', 'https://c.test')).to.deep.equal([500, '', '', '', '', '']);
    } finally {
      await server.close();
    }
  });

  it('requests for an HTTPRoute rule without backends fail with 500, and requests for unknown paths with 404', async () => {
    const routes = [route('r', [{ matches: [pathMatch('/none')] }])];
    expect(await responses(routes, [at('/none'), at('/other')])).to.deep.equal(['500', '404']);
  });
});
