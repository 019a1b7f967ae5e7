import { expect } from 'chai';
import { serve, withRoutes, type TestServer } from '@sluice/testing';
import type { Json } from '@sluice/base';

interface Group {
  readonly summary: string;
  readonly count: number;
  readonly recorded: number;
  readonly differences: readonly { aspect: string; name: string; before: Json; after: Json }[];
}

interface Behavior {
  readonly recorded: number;
  readonly generated: number;
  readonly same: number;
  readonly different: number;
  readonly undecided: number;
  readonly groups: readonly Group[];
  readonly undecided_because: readonly { reason: string; count: number }[];
}

const respond = (body: string, more: object = {}): Json => ({ handler: 'static_response', body, ...more });
const route = (path: string, ...handle: Json[]): Json => ({ match: [{ path: [path] }], handle, terminal: true });
const proxy = (dial: string, more: object = {}): Json => ({ handler: 'reverse_proxy', upstreams: [{ dial }], ...more });

describe('dry run with behavior comparison', () => {
  let server: TestServer;
  const started = async (routes: Json[]): Promise<void> => {
    server = await serve(withRoutes(routes), { register: [], standard: true });
  };
  afterEach(() => server.close());

  const change = (query: string, routes: Json[]) =>
    server.admin(`/config/apps/http/servers/s/routes${query}`, { method: 'PATCH', json: routes });

  const behaviorOf = async (routes: Json[]): Promise<Behavior> => {
    const response = await change('?dry_run=behavior', routes);
    expect(response.status).to.equal(200);
    return (response.json() as { behavior: Behavior }).behavior;
  };

  /** Imports recorded requests into the server. */
  const record = async (...urls: string[]): Promise<void> => {
    const entries = urls.map((url) => ({
      request: { method: 'GET', url, headers: [{ name: 'Cookie', value: 'REDACTED' }] },
      response: { status: 200 },
      _sluice: { server: 's', client: '192.0.2.1' },
    }));
    const response = await server.admin('/samples', { json: { log: { entries } } });
    expect(response.status).to.equal(200);
  };

  /** Returns the first group of recorded requests in a report. */
  const recordedGroup = ({ groups }: Behavior): Group => {
    const [group] = groups.filter(({ recorded }) => recorded > 0);
    if (group === undefined) throw new Error('no group of recorded requests');
    return group;
  };

  it('GET /samples lists recorded client requests without secrets', async () => {
    await started([route('/a', respond('a'))]);
    await server.request({ path: '/a?token=geheim', headers: { cookie: 'id=geheim', accept: 'x' } });
    const { count, requests } = (await server.admin('/samples')).json() as {
      count: number;
      requests: { route: string; request: { path: string; query: string; headers: object }; response: object }[];
    };
    expect(count).to.equal(1);
    expect(JSON.stringify(requests)).to.not.include('geheim');
    expect(requests[0]?.route).to.equal('apps.http.servers.s.routes[0]');
    expect(requests[0]?.request).to.deep.include({ path: '/a', query: 'token=REDACTED' });
    expect(requests[0]?.response).to.include({ status: 200 });
    expect((await server.admin('/samples', { method: 'DELETE' })).json()).to.deep.equal({ dropped: 1 });
  });

  it('a dry run reports which requests go to a different upstream, and why', async () => {
    await started([route('/api/*', proxy('a:80')), route('/b', respond('b'))]);
    await record('http://x.test/api/1', 'http://x.test/api/2', 'http://x.test/b');
    const behavior = await behaviorOf([route('/api/*', proxy('b:80')), route('/b', respond('b'))]);
    expect(behavior).to.include({ recorded: 3, undecided: 0 });
    const group = recordedGroup(behavior);
    expect(group.summary).to.equal('2 of 3 recorded requests to x.test/api/* go to b:80 instead of a:80');
    expect(group.differences).to.deep.equal([{ aspect: 'upstream', name: '', before: 'a:80', after: 'b:80' }]);
  });

  const pairs: readonly (readonly [string, Json[], Json[], RegExp])[] = [
    ['status', [respond('a')], [respond('a', { status_code: 404 })], /get status 404 instead of 200/],
    [
      'redirect',
      [respond('', { status_code: 302, headers: { Location: ['https://x.test{http.request.uri}'] } })],
      [respond('', { status_code: 302, headers: { Location: ['https://y.test{http.request.uri}'] } })],
      /are redirected to https:\/\/y\.test\{path\} instead of https:\/\/\{host\}\{path\}/,
    ],
    [
      'response header field',
      [{ handler: 'headers', response: { set: { 'X-A': ['1'] } } }, respond('a')],
      [respond('a')],
      /get no header x-a \(before: 1\)/,
    ],
    [
      'request header field of the upstream',
      [proxy('a:80')],
      [proxy('a:80', { headers: { request: { set: { 'X-A': ['1'] } } } })],
      /reach the upstream with header x-a 1/,
    ],
    [
      'rewritten path',
      [proxy('a:80')],
      [{ handler: 'rewrite', strip_path_prefix: '/p' }, proxy('a:80')],
      /reach the upstream with uri \/q instead of \{path\}/,
    ],
    ['body', [respond('a')], [respond('b')], /get a different body/],
    [
      'authentication',
      [
        {
          handler: 'authentication',
          providers: {
            http_basic: {
              accounts: [{ username: 'u', password: '$2a$04$5e1BLF6wZzg7VgbcVNVpMOqfRaWJpzEzCbXr0VvNJTXaW7LSgJ5Oi' }],
            },
          },
        },
        respond('a'),
      ],
      [respond('a')],
      /no longer require authentication/,
    ],
    [
      'forward authentication',
      [proxy('auth:80', { handle_response: [{ match: { status_code: [2] }, routes: [] }] }), proxy('a:80')],
      [proxy('a:80')],
      /no longer run through reverse_proxy/,
    ],
    [
      'rate limit',
      [respond('a')],
      [{ handler: 'rate_limit', rate_limits: { z: { key: 'x', window: '1m', max_events: 10 } } }, respond('a')],
      /are rate-limited/,
    ],
    ['cache', [{ handler: 'cache' }, proxy('a:80')], [proxy('a:80')], /are no longer cached/],
    ['removed route', [respond('a')], [], /get 0 bytes instead of 1/],
  ];
  for (const [name, before, after, expected] of pairs)
    it(`a dry run reports changed behavior: ${name}`, async () => {
      await started([route('/p/*', ...before)]);
      await record('http://x.test/p/q');
      const group = recordedGroup(await behaviorOf([route('/p/*', ...after)]));
      expect(group.summary).to.match(expected);
      // The same configuration in another form must have no differences.
      const same = await behaviorOf([{ ...(route('/p/*', ...before) as object), group: 'g' }]);
      expect(same).to.include({ different: 0, undecided: 0 });
    });

  it('a dry run treats an invalid record as undecided, and compares the other records', async () => {
    await started([route('/a', respond('a'))]);
    await record('http://x.test/a', 'http://x.test/%zz');
    const behavior = await behaviorOf([route('/a', respond('b'))]);
    expect(behavior).to.include({ recorded: 2, undecided: 1 });
    expect(recordedGroup(behavior).summary).to.match(/^1 of 2 recorded requests/);
    expect(behavior.undecided_because[0]?.reason).to.match(/is not a valid path/);
  });

  it('a dry run compares an authenticated request, even though its credentials are unknown', async () => {
    const auth = {
      handler: 'authentication',
      providers: {
        http_basic: {
          accounts: [{ username: 'u', password: '$2a$04$5e1BLF6wZzg7VgbcVNVpMOqfRaWJpzEzCbXr0VvNJTXaW7LSgJ5Oi' }],
        },
      },
    };
    await started([route('/a', auth, proxy('a:80'))]);
    const entry = {
      request: { url: 'http://x.test/a', headers: [{ name: 'Authorization', value: 'Basic geheim' }] },
      _sluice: { server: 's', upstream: 'a:80' },
    };
    await server.admin('/samples', { json: { log: { entries: [entry] } } });
    expect(recordedGroup(await behaviorOf([route('/a', auth, proxy('b:80'))])).summary).to.equal(
      '1 of 1 recorded requests to x.test/a go to b:80 instead of a:80',
    );
    expect(await behaviorOf([route('/a', auth, proxy('a:80')), route('/b', proxy('b:80'))])).to.include({
      undecided: 0,
    });
  });

  it('a dry run reports no differences for routes that only moved', async () => {
    const routes = [route('/a', respond('a')), route('/b', proxy('b:80')), route('/c*', respond('c'))];
    await started(routes);
    await record('http://x.test/a', 'http://x.test/b', 'http://x.test/c/d', 'http://x.test/e');
    expect(await behaviorOf(routes.toReversed())).to.include({ recorded: 4, same: 4, different: 0, undecided: 0 });
  });

  it('a dry run treats a request with a redacted secret as undecided only if the secret affects the result', async () => {
    const member = { match: [{ header: { Cookie: ['id=1'] } }], handle: [respond('member')], terminal: true };
    await started([member, route('/a', respond('a'))]);
    await record('http://x.test/a');
    const moved = await behaviorOf([member, route('/a', respond('other'))]);
    // A request without the secret must get the changed response.
    expect(recordedGroup(moved).summary).to.match(/1 of 1 recorded requests .* get 5 bytes instead of 1/);
    const other = await behaviorOf([
      { ...member, match: [{ header: { Cookie: ['id=2'] } }] },
      route('/a', respond('a')),
    ]);
    expect(other.undecided).to.be.greaterThan(0);
    expect(other.undecided_because[0]?.reason).to.match(/the outcome depends on: header cookie/);
    expect(await behaviorOf([member, route('/b', respond('b')), route('/a', respond('a'))])).to.include({
      undecided: 0,
    });
  });

  it('a dry run generates edge-case requests for a changed route that has not received any traffic', async () => {
    await started([route('/old/*', respond('old'))]);
    const behavior = await behaviorOf([
      { match: [{ host: ['shop.test'], path: ['/new/*'], method: ['PUT'] }], handle: [respond('new')], terminal: true },
      route('/old/*', respond('old')),
    ]);
    expect(behavior.recorded).to.equal(0);
    expect(behavior.generated).to.be.greaterThan(5);
    // Requests with another host, method or parent path must not match.
    expect(behavior.groups.map(({ summary }) => summary)).to.deep.equal([
      '3 generated requests to shop.test/new/x* get header content-type text/plain; charset=utf-8 and get 3 bytes instead of 0',
    ]);
    expect(behavior.same).to.be.greaterThan(3);
  });

  describe('configuration change with ?expect_same', () => {
    it('expect_same rejects a change that handles a recorded request differently, and keeps the configuration', async () => {
      await started([route('/a', respond('a'))]);
      await record('http://x.test/a');
      const response = await change('?expect_same', [route('/a', respond('b'))]);
      expect(response.status).to.equal(409);
      expect(response.json())
        .to.have.property('error')
        .that.matches(/\d+ requests would be handled differently/);
      expect((await server.request('/a')).text).to.equal('a');
    });

    it('expect_same accepts a change that handles all requests the same way', async () => {
      await started([route('/a', respond('a')), route('/b', respond('b'))]);
      await record('http://x.test/a', 'http://x.test/b');
      expect((await change('?expect_same', [route('/b', respond('b')), route('/a', respond('a'))])).status).to.equal(
        200,
      );
      expect(((await server.admin('/config/apps/http/servers/s/routes')).json() as Json[])[0]).to.deep.equal(
        route('/b', respond('b')),
      );
    });
  });

  describe('admin.policies with same_except_hosts', () => {
    const hosts = (a: string, b: string): Json[] => [
      { match: [{ host: ['a.test', 'x.a.test'] }], handle: [respond(a)], terminal: true },
      { match: [{ host: ['b.test'] }], handle: [respond(b)], terminal: true },
    ];
    const policy = (names: string[]): Json => [{ name: 'a only', same_except_hosts: names }];

    it('a policy accepts a change that affects only the listed hosts, and rejects a change that affects other hosts', async () => {
      await started(hosts('1', '1'));
      await record('http://a.test/', 'http://x.a.test/', 'http://b.test/');
      const set = await server.admin('/config/admin/policies', { method: 'PUT', json: policy(['a.test', '*.a.test']) });
      expect(set.status).to.equal(200);
      const rejected = await change('', hosts('2', '2'));
      expect(rejected.status).to.equal(409);
      expect(rejected.text).to.match(/would be handled differently, for example: 1 of \d recorded requests to b\.test/);
      expect((await change('', hosts('2', '1'))).status).to.equal(200);
      expect((await server.request({ host: 'a.test' })).text).to.equal('2');
    });
  });

  it('the server records no requests if samples.enabled is false', async () => {
    await started([route('/a', respond('a'))]);
    await server.admin('/config/apps/http/samples', { method: 'PUT', json: { disable: true } });
    await server.request('/a');
    expect((await server.admin('/samples')).json()).to.deep.include({ count: 0, per_route: 0 });
  });
});
