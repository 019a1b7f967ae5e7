import { expect } from 'chai';
import type { TestRequest, TestResponse } from '@sluice/testing';
import type { FakeObject } from '../fake-api-server.ts';
import { until } from '../until.ts';
import { configMap, ingress, secret, type IngressOptions } from './objects.ts';
import { translate, type TestObjects } from './translate.ts';
import { Upstream, type Received } from './upstream.ts';

describe('requests to Ingresses', () => {
  let one: Upstream;
  let two: Upstream;

  before(async () => {
    one = await new Upstream('one').listen();
    two = await new Upstream('two').listen();
  });

  after(async () => {
    await one.close();
    await two.close();
  });

  const objects = (): { services: FakeObject[]; slices: FakeObject[] } => ({
    services: [...one.objects.services, ...two.objects.services],
    slices: [...one.objects.slices, ...two.objects.slices],
  });
  const send = async (
    ingresses: readonly FakeObject[],
    path: string,
    options: TestRequest = {},
    more: Partial<TestObjects> = {},
  ): Promise<TestResponse> => (await translate({ ...objects(), ...more, ingresses })).request(path, options);
  const get = async (...args: Parameters<typeof send>): Promise<Received> => {
    const response = await send(...args);
    expect(response.status, response.text).to.equal(200);
    return JSON.parse(response.text) as Received;
  };
  const to = (service: string, options: IngressOptions & { path?: string; type?: string } = {}): FakeObject =>
    ingress(`to-${service}`, {
      ...options,
      paths: options.paths ?? [
        {
          service,
          ...(options.path === undefined ? {} : { path: options.path }),
          ...(options.type === undefined ? {} : { type: options.type }),
        },
      ],
    });

  const paths: [type: string, path: string, matched: string[], unmatched: string[]][] = [
    ['Exact', '/foo', ['/foo', '/foo?a=1'], ['/foo/', '/foo/bar', '/FOO', '/']],
    ['Prefix', '/foo', ['/foo', '/foo/', '/foo/bar'], ['/foobar', '/', '/FOO']],
    ['Prefix', '/foo/', ['/foo', '/foo/', '/foo/bar'], ['/foobar']],
    ['Prefix', '/', ['/', '/x'], []],
    ['ImplementationSpecific', '/foo', ['/foo', '/foo/bar', '/foobar'], ['/fo', '/FOO']],
  ];
  for (const [type, path, matched, unmatched] of paths)
    it(`an Ingress path ${path} of type ${type} matches ${matched.join(', ')}`, async () => {
      const translated = await translate({ ...objects(), ingresses: [to('one', { path, type })] });
      for (const each of matched) expect((await translated.request(each)).status, each).to.equal(200);
      for (const each of unmatched) expect((await translated.request(each)).status, each).to.equal(404);
    });

  it('exact Ingress paths precede prefixes, and longer prefixes precede shorter prefixes', async () => {
    const own = ingress('i', {
      paths: [
        { path: '/', service: 'two' },
        { path: '/a', service: 'two' },
        { path: '/a/b', service: 'one' },
        { path: '/a', type: 'Exact', service: 'one' },
      ],
    });
    expect((await get([own], '/a')).name).to.equal('one');
    expect((await get([own], '/a/c')).name).to.equal('two');
    expect((await get([own], '/a/b/c')).name).to.equal('one');
  });

  it('exact Ingress hosts precede wildcard hosts, which match one label', async () => {
    const ingresses = [to('one', { host: '*.b.test' }), to('two', { host: 'x.b.test', path: '/only' })];
    expect((await get(ingresses, '/', { host: 'y.b.test' })).name).to.equal('one');
    expect((await get(ingresses, '/only', { host: 'x.b.test' })).name).to.equal('two');
    expect((await send(ingresses, '/', { host: 'x.b.test' })).status).to.equal(404);
    expect((await send(ingresses, '/', { host: 'y.x.b.test' })).status).to.equal(404);
  });

  it('an Ingress rule without a host serves all other hosts', async () => {
    const ingresses = [to('one', { host: '' }), to('two', { host: 'a.test', path: '/two' })];
    expect((await get(ingresses, '/', { host: 'z.test' })).name).to.equal('one');
    expect((await send(ingresses, '/', { host: 'a.test' })).status).to.equal(404);
  });

  it('the default backend of an Ingress serves unmatched paths of its hosts', async () => {
    const own = to('one', {
      path: '/one',
      spec: { defaultBackend: { service: { name: 'two', port: { name: 'http' } } } },
    });
    expect((await get([own], '/other')).name).to.equal('two');
    expect((await send([own], '/other', { host: 'z.test' })).status).to.equal(404);
  });

  it('an Ingress without rules serves all requests', async () => {
    const own = ingress('i', {
      spec: { rules: [], defaultBackend: { service: { name: 'two', port: { number: 80 } } } },
    });
    expect((await get([own], '/any', { host: 'z.test' })).name).to.equal('two');
  });

  it('the default backend of the provider serves requests that match no Ingress path', async () => {
    const settings = { settings: { defaultBackend: 'web/two' } };
    expect((await get([to('one', { path: '/one' })], '/x', {}, settings)).name).to.equal('two');
    expect((await get([to('one')], '/x', { host: 'z.test' }, settings)).name).to.equal('two');
  });

  it('the oldest of several Ingresses with the same path serves the path, and newer Ingresses get a warning', async () => {
    const ingresses = [to('two', { created: '2026-03-01T00:00:00Z' }), to('one', { created: '2026-02-01T00:00:00Z' })];
    expect((await get(ingresses, '/')).name).to.equal('one');
    const { warnings } = await translate({ ...objects(), ingresses });
    expect(warnings).to.deep.equal(['paths: a.test/ belongs to the older Ingress web/to-one']);
  });

  it('requests for a rejected Ingress get a 503, and other Ingresses are served', async () => {
    const bad = to('one', { path: '/bad', annotations: { 'whitelist-source-range': '10.0.0.0/99' } });
    expect((await send([bad, to('two')], '/bad')).status).to.equal(503);
    expect((await get([bad, to('two')], '/')).name).to.equal('two');
  });

  it('an Ingress supports a named port, an ExternalName Service and a headless Service', async () => {
    const services = [
      { metadata: { name: 'external', namespace: 'web' }, spec: { type: 'ExternalName', externalName: '127.0.0.1' } },
      { metadata: { name: 'headless', namespace: 'web' }, spec: { clusterIP: 'None' } },
    ];
    const [slice] = two.objects.slices;
    const slices = [
      {
        ...slice,
        metadata: { name: 'headless-1', namespace: 'web', labels: { 'kubernetes.io/service-name': 'headless' } },
      },
    ] as FakeObject[];
    const all = { services: [...objects().services, ...services], slices: [...objects().slices, ...slices] };
    expect((await get([ingress('i', { paths: [{ service: 'one', port: 'http' }] })], '/', {}, all)).name).to.equal(
      'one',
    );
    expect(
      (await get([ingress('i', { paths: [{ service: 'external', port: one.port }] })], '/', {}, all)).name,
    ).to.equal('one');
    expect(
      (await get([ingress('i', { paths: [{ service: 'headless', port: two.port }] })], '/', {}, all)).name,
    ).to.equal('two');
  });

  it('an Ingress path without a Service or endpoints responds with 503', async () => {
    const { warnings, request } = await translate({ ingresses: [ingress('i', { paths: [{ service: 'missing' }] })] });
    expect((await request('/')).status).to.equal(503);
    expect(warnings).to.deep.equal(["backend: Service web/missing doesn't exist"]);
  });

  const rewrites: [path: string, target: string, sent: string, received: string][] = [
    ['/something(/|$)(.*)', '/$2', '/something/new?a=1', '/new?a=1'],
    ['/something(/|$)(.*)', '/$2', '/something', '/'],
    ['/api', '/', '/api/x', '/'],
    ['/v(\\d+)/(.*)', '/api/$2/v$1x', '/v12/users', '/api/users/v12x'],
    ['/a/(.*)', '/$1', '/A/b%20c', '/b%20c'],
  ];
  for (const [path, target, sent, received] of rewrites)
    it(`the annotation rewrite-target ${target} of ${path} rewrites ${sent} to ${received}`, async () => {
      const own = to('one', { path, type: 'ImplementationSpecific', annotations: { 'rewrite-target': target } });
      expect((await get([own], sent)).url).to.equal(received);
    });

  it('a regular expression in one Ingress makes all paths of its host case-insensitive regular expressions', async () => {
    const ingresses = [
      to('one', { path: '/x.z', type: 'ImplementationSpecific', annotations: { 'use-regex': 'true' } }),
      to('two', { path: '/other', type: 'Prefix' }),
    ];
    expect((await get(ingresses, '/XYZ')).name).to.equal('one');
    expect((await get(ingresses, '/OTHERS')).name).to.equal('two');
    const [, second] = ingresses as [FakeObject, FakeObject];
    expect((await send([second], '/OTHERS')).status).to.equal(404);
  });

  it('an invalid regular expression in an Ingress affects only its path', async () => {
    const own = ingress('i', {
      annotations: { 'use-regex': 'true' },
      paths: [
        { path: '/(', service: 'one' },
        { path: '/ok', service: 'two' },
      ],
    });
    expect((await get([own], '/ok')).name).to.equal('two');
    expect((await translate({ ...objects(), ingresses: [own] })).warnings.join()).to.match(/^paths: path \/\(/);
  });

  it('an Ingress redirects requests for a host with TLS to HTTPS, unless a load balancer received the requests over HTTPS', async () => {
    const own = to('one', { spec: { tls: [{ hosts: ['a.test'], secretName: 'none' }] } });
    const response = await send([own], '/x?a=1');
    expect([response.status, response.headers.get('location')]).to.deep.equal([308, 'https://a.test/x?a=1']);
    expect((await get([own], '/x', { headers: { 'X-Forwarded-Proto': 'https' } })).name).to.equal('one');
    expect((await get([own], '/x', { server: 'ingress_https' })).name).to.equal('one');
    const disabled = to('one', { annotations: { 'ssl-redirect': 'false' }, spec: { tls: [{ hosts: ['a.test'] }] } });
    expect((await get([disabled], '/x')).name).to.equal('one');
  });

  it('an Ingress redirects requests as specified by app-root, permanent-redirect and from-to-www-redirect', async () => {
    const root = await send([to('one', { annotations: { 'app-root': '/shop' } })], '/');
    expect([root.status, root.headers.get('location')]).to.deep.equal([302, 'http://a.test/shop']);
    const moved = await send(
      [to('one', { annotations: { 'permanent-redirect': 'https://b.test$request_uri' } })],
      '/x?y=1',
    );
    expect([moved.status, moved.headers.get('location')]).to.deep.equal([301, 'https://b.test/x?y=1']);
    const own = to('one', { annotations: { 'from-to-www-redirect': 'true' } });
    const www = await send([own], '/x', { host: 'www.a.test' });
    expect([www.status, www.headers.get('location')]).to.deep.equal([308, 'http://a.test/x']);
    expect((await get([own, to('two', { host: 'www.a.test' })], '/', { host: 'www.a.test' })).name).to.equal('two');
  });

  it('a canary Ingress receives requests by header field, by cookie, and by weight, in this order', async () => {
    const canary = (annotations: Record<string, string>): FakeObject =>
      to('two', { annotations: { canary: 'true', ...annotations }, created: '2026-02-01T00:00:00Z' });
    const both = [
      to('one'),
      canary({ 'canary-by-header': 'X-Beta', 'canary-by-cookie': 'beta', 'canary-weight': '0' }),
    ];
    const name = async (headers: Record<string, string>): Promise<string> => (await get(both, '/', { headers })).name;
    expect(await name({})).to.equal('one');
    expect(await name({ 'X-Beta': 'always' })).to.equal('two');
    expect(await name({ Cookie: 'beta=always' })).to.equal('two');
    expect(await name({ 'X-Beta': 'never', Cookie: 'beta=always' })).to.equal('one');
    expect((await get([to('one'), canary({ 'canary-weight': '100' })], '/')).name).to.equal('two');
    const half = await translate({ ...objects(), ingresses: [to('one'), canary({ 'canary-weight': '50' })] });
    const names = new Set<string>();
    for (let i = 0; i < 40 && names.size < 2; i++)
      names.add((JSON.parse((await half.request('/')).text) as Received).name);
    expect([...names].toSorted()).to.deep.equal(['one', 'two']);
  });

  it('a canary Ingress with an invalid expression or name receives no requests, and the main Ingress is served', async () => {
    for (const [annotations, warning] of [
      [{ 'canary-by-header': 'X-Beta', 'canary-by-header-pattern': '(' }, /^canary-by-header-pattern: /],
      [{ 'canary-by-cookie': 'a b' }, /^canary-by-cookie: "a b" is not a valid name$/],
    ] as const) {
      const canary = to('two', { annotations: { canary: 'true', ...annotations }, created: '2026-02-01T00:00:00Z' });
      expect((await get([to('one'), canary], '/', { headers: { 'X-Beta': '(' } })).name).to.equal('one');
      expect((await translate({ ...objects(), ingresses: [to('one'), canary] })).warnings[0]).to.match(warning);
    }
  });

  it('a canary Ingress in another namespace receives no requests', async () => {
    const annotations = { canary: 'true', 'canary-weight': '100' };
    const canary = to('two', { annotations, namespace: 'other', created: '2026-02-01T00:00:00Z' });
    expect((await get([to('one'), canary], '/')).name).to.equal('one');
    const { warnings } = await translate({ ...objects(), ingresses: [to('one'), canary] });
    expect(warnings).to.include('canary: no other Ingress has the path a.test/');
  });

  it('an Ingress authenticates users with the Apache password hashes in a Secret', async () => {
    const own = to('one', { annotations: { 'auth-type': 'basic', 'auth-secret': 'users', 'auth-realm': 'Staff' } });
    const more = {
      secrets: [
        secret('users', {
          auth: 'ada:$apr1$lZL6V/ci$PR6QJXkRFUzdUuaYcwrI//\ngrace:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=\n',
        }),
      ],
    };
    const login = (user: string, password: string): TestRequest => ({
      headers: { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` },
    });
    const rejected = await send([own], '/', {}, more);
    expect([rejected.status, rejected.headers.get('www-authenticate')]).to.deep.equal([401, 'Basic realm="Staff"']);
    expect((await send([own], '/', login('ada', 'wrong'), more)).status).to.equal(401);
    expect((await get([own], '/', login('ada', 'secret'), more)).name).to.equal('one');
    expect((await get([own], '/', login('grace', 'secret'), more)).name).to.equal('one');
  });

  it('an Ingress with a missing auth-secret, or with a Secret in another namespace, rejects all requests', async () => {
    for (const name of ['users', 'other/users']) {
      const own = to('one', { annotations: { 'auth-type': 'basic', 'auth-secret': name } });
      expect(
        (
          await send(
            [own],
            '/',
            {},
            { secrets: [secret('users', { auth: 'a:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=' }, 'other')] },
          )
        ).status,
      ).to.equal(503);
    }
  });

  it('an Ingress permits or denies client addresses, and accepts either an address or a password if satisfy is any', async () => {
    const from = (address: string): TestRequest => ({ connection: { remoteAddress: address } });
    const allowed = to('one', { annotations: { 'whitelist-source-range': '10.0.0.0/8' } });
    expect((await send([allowed], '/', from('192.0.2.1'))).status).to.equal(403);
    expect((await send([allowed], '/', from('10.1.2.3'))).status).to.equal(200);
    const denied = to('one', { annotations: { 'denylist-source-range': '192.0.2.0/24' } });
    expect((await send([denied], '/', from('192.0.2.1'))).status).to.equal(403);
    const any = to('one', {
      annotations: {
        'whitelist-source-range': '10.0.0.0/8',
        satisfy: 'any',
        'auth-type': 'basic',
        'auth-secret': 'users',
      },
    });
    const more = { secrets: [secret('users', { auth: 'a:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=' })] };
    expect((await send([any], '/', from('10.1.2.3'), more)).status).to.equal(200);
    expect((await send([any], '/', from('192.0.2.1'), more)).status).to.equal(401);
  });

  it('an Ingress uses X-Forwarded-For in address rules only if a trusted proxy sent the field', async () => {
    const own = to('one', { annotations: { 'whitelist-source-range': '10.0.0.0/8' } });
    const options = { connection: { remoteAddress: '192.0.2.1' }, headers: { 'X-Forwarded-For': '10.1.2.3' } };
    expect((await send([own], '/', options)).status).to.equal(403);
    const settings = { settings: { trustedProxies: ['192.0.2.0/24'] } };
    expect((await send([own], '/', options, settings)).status).to.equal(200);
  });

  it('an Ingress authorizes requests with an authorization service, and passes on the header fields of this service to the backend', async () => {
    const own = to('one', {
      annotations: {
        'auth-url': `http://127.0.0.1:${two.port}/check`,
        'auth-response-headers': 'X-User',
        'auth-signin': 'https://login.test/',
      },
    });
    two.respond = () => ({ status: 200, headers: { 'X-User': 'ada' } });
    expect((await get([own], '/x', { headers: { 'X-User': 'forged' } })).headers['x-user']).to.equal('ada');
    two.respond = () => ({ status: 401 });
    const rejected = await send([own], '/x?a=1');
    expect([rejected.status, rejected.headers.get('location')]).to.deep.equal([
      302,
      'https://login.test/?rd=http://a.test%2Fx%3Fa%3D1',
    ]);
    two.respond = () => ({ status: 403 });
    expect((await send([own], '/x')).status).to.equal(403);
    two.respond = () => ({ status: 200 });
    expect((await get([own], '/x', { headers: { 'X-User': 'forged' } })).headers['x-user']).to.equal(undefined);
  });

  it('an Ingress responds to preflight requests, and adds CORS headers to other responses', async () => {
    const own = to('one', { annotations: { 'enable-cors': 'true', 'cors-allow-origin': 'https://*.b.test' } });
    const headers = { Origin: 'https://x.b.test' };
    const preflight = await send([own], '/', { method: 'OPTIONS', headers });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).to.deep.equal([
      204,
      'https://x.b.test',
    ]);
    expect((await send([own], '/', { headers })).headers.get('access-control-allow-origin')).to.equal(
      'https://x.b.test',
    );
    const other = await send([own], '/', { headers: { Origin: 'https://evil.test' } });
    expect([other.status, other.headers.get('access-control-allow-origin')]).to.deep.equal([200, undefined]);
  });

  it('an Ingress sets the session affinity cookie with the attributes that annotations specify', async () => {
    const [service] = one.objects.services as [FakeObject];
    const slices = [...one.objects.slices, ...two.objects.slices].map((each, i) => ({
      ...each,
      metadata: { name: `both-${i}`, namespace: 'web', labels: { 'kubernetes.io/service-name': 'one' } },
    }));
    const annotations = {
      affinity: 'cookie',
      'session-cookie-name': 'route',
      'session-cookie-path': '/shop',
      'session-cookie-samesite': 'Strict',
      'session-cookie-secure': 'true',
      'session-cookie-max-age': '60',
    };
    const { request } = await translate({ ingresses: [to('one', { annotations })], services: [service], slices });
    const first = await request('/');
    const cookie = first.headers.get('set-cookie') ?? '';
    expect(cookie).to.match(/^route=\w+; Path=\/shop; Max-Age=60; HttpOnly; SameSite=Strict; Secure$/);
    const { name } = JSON.parse(first.text) as Received;
    for (let i = 0; i < 4; i++)
      expect(
        (JSON.parse((await request('/', { headers: { Cookie: cookie.split(';')[0] ?? '' } })).text) as Received).name,
      ).to.equal(name);
  });

  it('an Ingress sends responses of the default backend for the statuses in custom-http-errors', async () => {
    const own = to('one', { annotations: { 'custom-http-errors': '404', 'default-backend': 'two' } });
    one.respond = (url) => ({ status: url === '/missing' ? 404 : 200 });
    two.respond = () => ({ status: 404 });
    const response = await send([own], '/missing');
    one.respond = () => ({ status: 200 });
    two.respond = () => ({ status: 200 });
    const received = JSON.parse(response.text) as Received;
    expect([
      response.status,
      received.name,
      received.headers['x-code'],
      received.headers['x-original-uri'],
    ]).to.deep.equal([404, 'two', '404', '/missing']);
    expect((await get([own], '/ok')).name).to.equal('one');
  });

  it('an Ingress rejects request bodies larger than proxy-body-size with 413', async () => {
    const own = to('one', { annotations: { 'proxy-body-size': '1k' } });
    expect((await send([own], '/', { method: 'POST', body: 'x'.repeat(1025) })).status).to.equal(413);
    expect((await send([own], '/', { method: 'POST', body: 'x'.repeat(1024) })).status).to.equal(200);
  });

  it('an Ingress adds header fields from a ConfigMap to responses, without expanding placeholders in their values', async () => {
    const own = to('one', { annotations: { 'custom-headers': 'fields' } });
    const response = await send([own], '/', {}, { configMaps: [configMap('fields', { 'X-Home': '{env.HOME}' })] });
    expect(response.headers.get('x-home')).to.equal('{env.HOME}');
  });

  it('an Ingress with mirror-target sends a copy of each request with the original URI, and clients get the response of the backend', async () => {
    const copies: string[] = [];
    two.respond = (url) => {
      copies.push(url);
      return { status: 500 };
    };
    const annotations = {
      'mirror-target': `http://127.0.0.1:${two.port}/copy$request_uri`,
      'rewrite-target': '/new',
    };
    expect((await get([to('one', { annotations })], '/old?a=1')).url).to.equal('/new?a=1');
    await until(() => copies.length > 0);
    expect(copies).to.deep.equal(['/copy/old?a=1']);
  });
});
