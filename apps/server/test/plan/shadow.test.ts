import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { AdminTestResponse } from '@sluice/testing';
import type { Json } from '@sluice/base';
import { PackagedServer } from '../support/packaged.ts';

interface Group {
  readonly summary: string;
  readonly count: number;
  readonly differences: readonly { aspect: string; name: string; before: Json; after: Json }[];
  readonly examples: readonly { request: { url: string }; before: Json; after: Json }[];
}

interface Shadow {
  readonly recorded: number;
  readonly live: number;
  readonly same: number;
  readonly different: number;
  readonly unsteady: number;
  readonly groups: readonly Group[];
  readonly left_out: readonly { reason: string; count: number; example: { url: string } }[];
  readonly bypassed: readonly string[];
  readonly noise: readonly { part: string; count: number }[];
  readonly latency_ms: Record<'before' | 'after', { count: number; p50: number; p99: number }>;
}

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

const proxy = (dial: string, more: object = {}): Json => ({ handler: 'reverse_proxy', upstreams: [{ dial }], ...more });
const route = (path: string, ...handle: Json[]): Json => ({ match: [{ path: [path] }], handle, terminal: true });

describe('dry run with a shadow run', function () {
  this.timeout(30_000);
  let server: PackagedServer;
  const upstreams: Server[] = [];
  before(async () => {
    server = await PackagedServer.start();
  });
  after(() => server.close());
  afterEach(async () => {
    for (const each of upstreams.splice(0)) {
      each.closeAllConnections();
      await new Promise((resolve) => each.close(resolve));
    }
  });

  const upstream = async (respond: Respond): Promise<string> => {
    const listening = createServer(respond).listen(0, '127.0.0.1');
    await once(listening, 'listening');
    upstreams.push(listening);
    return `127.0.0.1:${(listening.address() as AddressInfo).port}`;
  };

  const started = async (routes: Json[]): Promise<void> => {
    await server.load(routes);
    await server.admin('/samples', { method: 'DELETE' });
  };

  const record = async (...requests: string[]): Promise<void> => {
    const entries = requests.map((each) => {
      const [method = '', url = ''] = each.split(' ');
      return {
        request: {
          method,
          url,
          headers: [
            { name: 'Accept', value: 'text/plain' },
            { name: 'Cookie', value: 'a=b' },
          ],
        },
        response: { status: 200 },
        _sluice: { server: 's', client: '192.0.2.1' },
      };
    });
    expect((await server.admin('/samples', { json: { log: { entries } } })).status).to.equal(200);
  };

  const change = (routes: Json[], query = ''): Promise<AdminTestResponse> =>
    server.admin(`/config/apps/http/servers/s/routes?dry_run=shadow${query}`, { method: 'PATCH', json: routes });

  const shadowOf = async (routes: Json[], query = ''): Promise<Shadow> => {
    const response = await change(routes, query);
    expect(response.status, response.text).to.equal(200);
    return (response.json() as { shadow: Shadow }).shadow;
  };

  const urls = (...paths: string[]): string[] => paths.map((path) => `GET http://x.test${path}`);

  it('a shadow run reports the requests to which the new upstream responds differently, with an example', async () => {
    const old = await upstream((_, response) => response.end('hello'));
    const broken = await upstream((request, response) => {
      response.statusCode = request.url === '/api/b' ? 500 : 200;
      response.end('hello');
    });
    await started([route('/api/*', proxy(old))]);
    await record(...urls('/api/a', '/api/b', '/api/c'));
    const shadow = await shadowOf([route('/api/*', proxy(broken))]);
    expect(shadow).to.include({ recorded: 3, same: 2, different: 1, unsteady: 0 });
    expect(shadow.groups[0]?.summary).to.equal(
      '1 of 3 replayed requests to x.test/api/b get status 500 instead of 200',
    );
    expect(shadow.groups[0]?.examples[0]?.after).to.include({ status: 500, upstream: broken });
    expect(shadow.latency_ms.before.count).to.equal(6);
    expect(shadow.latency_ms.after.count).to.equal(3);
  });

  it('a shadow run ignores dates, IDs, cookies and counters that also vary between responses of the active configuration', async () => {
    let count = 0;
    const noisy =
      (title: string): Respond =>
      (_, response) => {
        response.setHeader('X-Request-Id', crypto.randomUUID());
        response.setHeader('X-Count', String(count++));
        response.setHeader('Set-Cookie', `session=${crypto.randomUUID()}; Path=/`);
        response.end(`{"id": "${crypto.randomUUID()}", "title": "${title}", "count": ${count}}`);
      };
    const [old, same, other] = [await upstream(noisy('a')), await upstream(noisy('a')), await upstream(noisy('b'))];
    await started([route('/*', proxy(old))]);
    await record(...urls('/1', '/2', '/3'));
    const equal = await shadowOf([route('/*', proxy(same))]);
    expect(equal).to.include({ recorded: 3, same: 3, different: 0, unsteady: 0 });
    // The date differs only if a second ends during the run.
    const noise = equal.noise.map(({ part }) => part).filter((part) => part !== 'header date');
    expect(noise).to.have.members(['header x-request-id', 'header x-count']);
    const different = await shadowOf([route('/*', proxy(other))]);
    expect(different).to.include({ different: 3 });
    expect(different.groups[0]?.differences.map(({ aspect }) => aspect)).to.deep.equal(['body']);
  });

  it('a shadow run reports that a new upstream is slower', async () => {
    const [fast, slow] = [
      await upstream((_, response) => response.end('x')),
      await upstream((_, response) => void setTimeout(() => response.end('x'), 80)),
    ];
    await started([route('/*', proxy(fast))]);
    await record(...urls(...Array.from({ length: 12 }, (_, i) => `/${i}`)));
    const shadow = await shadowOf([route('/*', proxy(slow))]);
    expect(shadow).to.include({ same: 12, different: 0 });
    expect(shadow.groups[0]?.differences[0]).to.include({ aspect: 'latency' });
    expect(shadow.latency_ms.after.p50).to.be.greaterThan(75);
    expect(shadow.latency_ms.before.p50).to.be.lessThan(40);
  });

  it('a shadow run reports a slower upstream even if each route has few requests', async () => {
    const [fast, slow] = [
      await upstream((_, response) => response.end('x')),
      await upstream((_, response) => void setTimeout(() => response.end('x'), 80)),
    ];
    const paths = Array.from({ length: 9 }, (_, i) => `/${i}`);
    await started(paths.map((path) => route(path, proxy(fast))));
    await record(...urls(...paths));
    const shadow = await shadowOf(paths.map((path) => route(path, proxy(slow))));
    expect(shadow.groups[0]?.differences[0]).to.include({ aspect: 'latency' });
  });

  it('a shadow run sends requests with unsafe methods only to explicitly listed upstreams', async () => {
    const received: string[] = [];
    const address = await upstream((request, response) => {
      received.push(`${request.method ?? ''} ${request.url ?? ''}`);
      response.end();
    });
    await started([route('/p/*', proxy(address)), route('/*', proxy('127.0.0.1:1'))]);
    await record('POST http://x.test/p/a', 'DELETE http://x.test/other', 'GET http://x.test/p/g');
    const after = [route('/p/*', proxy(address), { handler: 'vars', a: 'b' }), route('/*', proxy('127.0.0.1:1'))];
    const safe = await shadowOf(after);
    expect(safe.recorded).to.equal(1);
    expect(received.filter((each) => !each.startsWith('GET'))).to.deep.equal([]);
    expect(safe.left_out.map(({ reason }) => reason)).to.have.members([
      'POST is not a safe method',
      'DELETE is not a safe method',
    ]);
    const unsafe = await shadowOf(after, `&unsafe=${address}`);
    expect(unsafe.recorded).to.equal(2);
    expect(received.filter((each) => each === 'POST /p/a')).to.have.length(3);
    expect(unsafe.left_out.map(({ reason }) => reason)).to.deep.equal([
      'DELETE requests to tcp/127.0.0.1:1 are not allowed: add the upstream to the unsafe option to replay them',
    ]);
  });

  it('a shadow run does not affect rate limits, the cache, statistics, or recorded requests', async () => {
    let requests = 0;
    const address = await upstream((_, response) => {
      requests++;
      response.setHeader('Cache-Control', 'max-age=60');
      response.end('x');
    });
    const limited = (dial: string): Json[] => [
      route(
        '/*',
        { handler: 'rate_limit', rate_limits: { all: { key: 'all', window: '1h', max_events: 2 } } },
        { handler: 'cache' },
        proxy(dial),
      ),
    ];
    await started(limited(address));
    await record(...urls('/1', '/2', '/3', '/4'));
    const before = (await server.admin('/samples')).json() as { count: number };
    const shadow = await shadowOf(limited(address).map((each) => ({ ...(each as object), group: 'g' })));
    expect(shadow).to.include({ recorded: 4, same: 4 });
    expect(shadow.bypassed).to.deep.equal(['http.handlers.cache', 'http.handlers.rate_limit']);
    expect(requests).to.equal(12);
    expect(((await server.admin('/samples')).json() as { count: number }).count).to.equal(before.count);
    // Replayed requests must affect neither the rate limit nor the cache.
    expect((await server.request('/1')).headers['age']).to.equal(undefined);
    expect((await server.request('/5')).status).to.equal(200);
    expect((await server.request('/6')).status).to.equal(429);
    expect(requests).to.equal(14);
  });

  it('a shadow run also replays requests that arrive during the run, with their credentials', async () => {
    const cookies = new Set<string | undefined>();
    const respond: Respond = (request, response) => {
      cookies.add(request.headers.cookie);
      response.end('x');
    };
    const [old, next] = [await upstream(respond), await upstream(respond)];
    await started([route('/*', proxy(old))]);
    const pending = shadowOf([route('/*', proxy(next))], '&live&seconds=3&requests=20');
    for (let i = 0; i < 40; i++) {
      await server.request(`/${i}`, { headers: { cookie: 'id=secret' } });
      await sleep(50);
    }
    const shadow = await pending;
    expect(shadow.recorded).to.equal(0);
    expect(shadow.live).to.be.greaterThan(5);
    expect(shadow.same).to.equal(shadow.live);
    expect([...cookies]).to.deep.equal(['id=secret']);
    expect(JSON.stringify(await server.admin('/samples'))).to.not.include('secret');
  });

  it('a shadow run does not block other changes, but a second concurrent shadow run is rejected', async () => {
    await started([route('/*', { handler: 'static_response', body: 'a' })]);
    const after = [route('/*', { handler: 'static_response', body: 'b' })];
    const pending = change(after, '&live&seconds=2');
    await sleep(300);
    const startedAt = performance.now();
    const second = await change(after, '&seconds=1');
    expect(second.status).to.equal(503);
    const other = await server.admin('/config/apps/http/servers/s/routes', { method: 'PATCH', json: after });
    expect(other.status).to.equal(200);
    expect(performance.now() - startedAt).to.be.lessThan(1500);
    expect((await pending).status).to.equal(200);
  });

  it('the result of a shadow run is stored with the proposal and added to the signed report page', async () => {
    await started([route('/*', { handler: 'static_response', body: 'a' })]);
    await record(...urls('/1'));
    const value = [route('/*', { handler: 'static_response', body: 'b' })];
    const patch = [{ op: 'replace', path: '/apps/http/servers/s/routes', value }];
    const { status, text } = await server.admin('/proposals?shadow', { json: { title: 't', patch } });
    expect(status, text).to.equal(201);
    const { id, report } = JSON.parse(text) as { id: number; report: { shadow: Shadow } };
    expect(report.shadow).to.include({ recorded: 1, different: 1 });
    const page = await server.admin(`/proposals/${id}/report?format=html`);
    expect(page.text)
      .to.include('<h2>Responses</h2>')
      .and.include('1 of 1 replayed requests to x.test/1 get a different body');
  });

  for (const [query, message] of [
    ['&requests=0', 'requests must be a number from 1 to 5000'],
    ['&seconds=100', 'seconds must be a number from 1 to 60'],
  ] as const)
    it(`a shadow run rejects ${query.slice(1)}`, async () => {
      await started([]);
      const response = await change([], query);
      expect(response.status).to.equal(400);
      expect(response.text).to.include(message);
    });
});
