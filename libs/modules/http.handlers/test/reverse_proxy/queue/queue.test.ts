import { expect } from 'chai';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json, JsonObject } from '@sluice/base';
import { httpApp } from '@sluice/http-app';
import type { Token } from '@sluice/registry';
import { Metrics, metricsToken } from '@sluice/telemetry';
import { asCaddyfile, fromCaddyfile, serve, withRoutes, type TestServer } from '@sluice/testing';
import { queuedRequests, upstreamQueue, type QueueResult } from '../../../src/reverse_proxy/queue/metrics.ts';
import { askAdmin, readUpstreams } from '../admin.ts';
import { deadAddress, httpUpstream, Opened, packages, proxyTo } from '../support.ts';
import { gatedUpstream, type GatedUpstream } from './gated-upstream.ts';

describe('http.handlers.reverse_proxy: queue for upstreams', () => {
  const opened = new Opened();
  let metrics: Metrics;
  beforeEach(() => void (metrics = new Metrics()));
  afterEach(() => opened.close());

  const gated = async (name?: string): Promise<GatedUpstream> => opened.add(await gatedUpstream(name));

  async function start(config: Json): Promise<TestServer> {
    return opened.add(
      await serve(config, { ...packages, services: new Map<Token<unknown>, unknown>([[metricsToken, metrics]]) }),
    );
  }

  const queue = (balancing: JsonObject = {}): JsonObject => ({
    load_balancing: { max_requests: 1, queue: 9, ...balancing },
  });

  const proxying = (dials: readonly string[], options: JsonObject = queue(), server: JsonObject = {}): Json =>
    withRoutes([{ handle: [proxyTo(dials, options)] }], server);

  const count = (result: QueueResult): number =>
    metrics.family(queuedRequests).with('apps.http.servers.s.routes[0].handle[0]', result).value;

  async function queued(proxy: TestServer, dial: string): Promise<number> {
    const entries = (await askAdmin(proxy, 'GET', '/reverse_proxy/upstreams?detail')) as readonly {
      readonly address: string;
      readonly queued: number;
    }[];
    return entries.find(({ address }) => address === dial)!.queued;
  }

  async function waits(proxy: TestServer, dial: string, expected: number): Promise<void> {
    const end = performance.now() + 5000;
    while ((await queued(proxy, dial)) !== expected && performance.now() < end) await sleep(2);
    expect(await queued(proxy, dial)).to.equal(expected);
  }

  it('reverse_proxy sends queued requests in order of arrival, and rejects requests when the queue is full', async () => {
    const upstream = await gated();
    const proxy = await start(proxying([upstream.dial], queue({ queue: 2, queue_timeout: '7s' })));
    const sent = ['/1', '/2', '/3'].map((path) => proxy.request(path));
    await upstream.has(1);
    await waits(proxy, upstream.dial, 2);
    expect(await readUpstreams(proxy)).to.deep.equal([{ address: upstream.dial, num_requests: 1, fails: 0 }]);
    metrics.snapshot();
    expect(metrics.family(upstreamQueue).with(upstream.dial).value).to.equal(2);
    const rejected = await proxy.request('/4');
    expect([rejected.status, rejected.headers.get('retry-after')]).to.deep.equal([503, '7']);
    for (let i = 2; i <= 3; i++) {
      upstream.next();
      await upstream.has(i);
    }
    upstream.next();
    expect((await Promise.all(sent)).map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    expect(upstream.arrived).to.deep.equal(['/1', '/2', '/3']);
    expect([count('queued'), count('rejected')]).to.deep.equal([2, 1]);
    await waits(proxy, upstream.dial, 0);
  });

  it('reverse_proxy fails a request whose queue timeout expires, and error routes get the message and the waiting time', async () => {
    const upstream = await gated();
    const errors = {
      routes: [
        {
          handle: [
            {
              handler: 'static_response',
              status_code: '{http.error.status_code}',
              body: '{http.error.message} {http.reverse_proxy.queue_duration_ms}',
            },
          ],
        },
      ],
    };
    const proxy = await start(proxying([upstream.dial], queue({ queue_timeout: '40ms', retries: 5 }), { errors }));
    const first = proxy.request('/1');
    await upstream.has(1);
    // The limit applies to the first request in the queue and to later requests.
    for (const { status, text } of await Promise.all([proxy.request('/2'), proxy.request('/3')])) {
      expect(status).to.equal(503);
      expect(text).to.match(/^all upstreams stayed at their limit for 0\.04 s: the queue timeout expired [\d.]+$/);
      expect(Number(text.split(' ').at(-1))).to.be.within(30, 2000);
    }
    upstream.next();
    expect((await first).status).to.equal(200);
    const next = proxy.request('/5');
    await upstream.has(2);
    upstream.next();
    expect((await next).status).to.equal(200);
    expect([count('timed_out'), await queued(proxy, upstream.dial)]).to.deep.equal([2, 0]);
  });

  it('reverse_proxy removes a disconnected client from the queue', async () => {
    const upstream = await gated();
    const proxy = await start(proxying([upstream.dial], queue({ queue: 1 }), { listen: ['127.0.0.1:0'] }));
    const address = proxy.runtime.app(httpApp)?.servers.get('s')?.listeners[0]?.address as AddressInfo;
    const first = proxy.request('/1');
    await upstream.has(1);
    const gone = connect(address.port, '127.0.0.1', () => gone.write('GET /gone HTTP/1.1\r\nHost: a\r\n\r\n'));
    await waits(proxy, upstream.dial, 1);
    expect((await proxy.request('/rejected')).status).to.equal(503);
    gone.destroy();
    await waits(proxy, upstream.dial, 0);
    expect(count('aborted')).to.equal(1);
    const next = proxy.request('/2');
    await waits(proxy, upstream.dial, 1);
    upstream.next();
    await upstream.has(2);
    upstream.next();
    expect([(await first).status, (await next).status]).to.deep.equal([200, 200]);
    expect(upstream.arrived).to.deep.equal(['/1', '/2']);
  });

  it('reverse_proxy sends queued requests to any upstream below its limit', async () => {
    const [a, b] = [await gated('a'), await gated('b')];
    const proxy = await start(proxying([a.dial, b.dial], queue({ selection_policy: { policy: 'first' } })));
    const sent = ['/1', '/2', '/3', '/4'].map((path) => proxy.request(path));
    await Promise.all([a.has(1), b.has(1)]);
    await waits(proxy, a.dial, 2);
    await waits(proxy, b.dial, 2);
    b.next();
    await b.has(2);
    b.next();
    await b.has(3);
    b.next();
    a.next();
    expect((await Promise.all(sent)).map(({ text }) => text)).to.deep.equal(['a', 'b', 'b', 'b']);
    expect([a.arrived, b.arrived]).to.deep.equal([['/1'], ['/2', '/3', '/4']]);
  });

  it('reverse_proxy fails queued requests when all upstreams become unavailable, and sends queued requests when an upstream becomes available', async () => {
    const [a, b] = [await gated('a'), await gated('b')];
    const proxy = await start(proxying([a.dial, b.dial], queue({ selection_policy: { policy: 'first' } })));
    const drain = (dial: string, method: string): Promise<unknown> =>
      askAdmin(proxy, method, `/reverse_proxy/upstreams/${encodeURIComponent(dial)}/drain`);
    await drain(b.dial, 'POST');
    const sent = ['/1', '/2'].map((path) => proxy.request(path));
    await waits(proxy, a.dial, 1);
    await drain(b.dial, 'DELETE');
    await b.has(1);
    const late = ['/3', '/4'].map((path) => proxy.request(path));
    await waits(proxy, a.dial, 2);
    await drain(a.dial, 'POST');
    await drain(b.dial, 'POST');
    expect((await Promise.all(late)).map(({ status }) => status)).to.deep.equal([503, 503]);
    a.next();
    b.next();
    expect((await Promise.all(sent)).map(({ text }) => text)).to.deep.equal(['a', 'b']);
    expect([count('queued'), count('unavailable')]).to.deep.equal([1, 2]);
  });

  it('reverse_proxy keeps queued requests and their order on a configuration change, and completes requests queued for a removed upstream', async () => {
    const [a, b] = [await gated('a'), await gated('b')];
    const proxy = await start(proxying([a.dial]));
    const sent = ['/1', '/2', '/3'].map((path) => proxy.request(path));
    await waits(proxy, a.dial, 2);
    await proxy.reconciler.load(proxying([a.dial], { ...queue(), flush_interval: -1 }));
    sent.push(proxy.request('/4'));
    await waits(proxy, a.dial, 3);
    await proxy.reconciler.load(proxying([b.dial]));
    const other = proxy.request('/b');
    await b.has(1);
    b.next();
    expect((await other).text).to.equal('b');
    for (let i = 1; i <= 4; i++) {
      await a.has(i);
      a.next();
    }
    expect((await Promise.all(sent)).map(({ text }) => text)).to.deep.equal(['a', 'a', 'a', 'a']);
    expect(a.arrived).to.deep.equal(['/1', '/2', '/3', '/4']);
  });

  it('reverse_proxy does not let requests of another proxy or a later configuration overtake queued requests for the same upstream', async () => {
    const [a, b] = [await gated('a'), await gated('b')];
    const proxy = await start(proxying([a.dial]));
    const sent = ['/1', '/2', '/3'].map((path) => proxy.request(path));
    await waits(proxy, a.dial, 2);
    // A different list of upstreams uses a different queue.
    await proxy.reconciler.load(proxying([a.dial, b.dial], queue({ selection_policy: { policy: 'first' } })));
    sent.push(proxy.request('/b'));
    await b.has(1);
    a.next();
    await a.has(2);
    const late = proxy.request('/late');
    await waits(proxy, b.dial, 1);
    expect(a.arrived).to.deep.equal(['/1', '/2']);
    b.next();
    await b.has(2);
    a.next();
    await a.has(3);
    a.next();
    b.next();
    expect((await Promise.all([...sent, late])).map(({ text }) => text)).to.deep.equal(['a', 'a', 'a', 'b', 'b']);
    expect(a.arrived).to.deep.equal(['/1', '/2', '/3']);
  });

  it('reverse_proxy lets a request that failed on one upstream wait for another upstream', async () => {
    const [a, dead] = [await gated(), await deadAddress()];
    const passive = { fail_duration: '1m' };
    const proxy = await start(
      proxying([dead, a.dial], {
        ...queue({ selection_policy: { policy: 'first' }, retries: 1 }),
        health_checks: { passive },
      }),
    );
    const sent = [proxy.request('/1')];
    await a.has(1);
    sent.push(proxy.request('/2'));
    await waits(proxy, a.dial, 1);
    a.next();
    await a.has(2);
    a.next();
    expect((await Promise.all(sent)).map(({ status }) => status)).to.deep.equal([200, 200]);
  });

  it('reverse_proxy fails a queued request with an invalid upstream address, and sends the next queued request', async () => {
    const upstream = await gated();
    const dial = '{http.request.header.to}';
    const proxy = await start(proxying([dial]));
    const first = proxy.request({ path: '/1', headers: { to: upstream.dial } });
    await upstream.has(1);
    const invalid = proxy.request('/2');
    const last = proxy.request({ path: '/3', headers: { to: upstream.dial } });
    await waits(proxy, dial, 2);
    upstream.next();
    expect([(await first).status, (await invalid).status]).to.deep.equal([200, 502]);
    await upstream.has(2);
    upstream.next();
    expect((await last).status).to.equal(200);
    expect((await readUpstreams(proxy))[0]).to.include({ num_requests: 0 });
  });

  it('reverse_proxy counts an event stream against the limit until it ends', async () => {
    const streams: (() => void)[] = [];
    const upstream = opened.add(
      await httpUpstream((_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('data: 1\n\n');
        streams.push(() => void response.end());
      }),
    );
    const proxy = await start(proxying([upstream.dial]));
    const sent = [proxy.request('/1'), proxy.request('/2')];
    await waits(proxy, upstream.dial, 1);
    await sleep(100);
    expect([streams.length, await queued(proxy, upstream.dial)]).to.deep.equal([1, 1]);
    streams[0]?.();
    await waits(proxy, upstream.dial, 0);
    while (streams.length < 2) await sleep(2);
    streams[1]?.();
    expect((await Promise.all(sent)).map(({ status }) => status)).to.deep.equal([200, 200]);
  });

  it('reverse_proxy applies the limit and the queue to dynamic upstreams', async () => {
    const upstream = await gated();
    const [host, port = ''] = upstream.dial.split(':');
    const dynamic = { source: 'a', name: 'localhost', port, versions: { ipv4: true } };
    const proxy = await start(
      withRoutes([{ handle: [{ handler: 'reverse_proxy', dynamic_upstreams: dynamic, ...queue() }] }]),
    );
    expect(host).to.equal('127.0.0.1');
    const sent = ['/1', '/2'].map((path) => proxy.request(path));
    await upstream.has(1);
    await sleep(50);
    upstream.next();
    await upstream.has(2);
    upstream.next();
    expect((await Promise.all(sent)).map(({ status }) => status)).to.deep.equal([200, 200]);
    expect(count('queued')).to.equal(1);
  });

  it('reverse_proxy rejects a negative queue timeout', async () => {
    const failed = start(proxying(['a:1'], queue({ queue_timeout: '-1s' }))).then(
      () => expect.fail('accepted it'),
      ({ message }: Error) => message,
    );
    expect(await failed).to.match(/queue_timeout.* must be greater than zero/);
  });

  it('reverse_proxy in a Caddyfile supports lb_max_requests, lb_queue and lb_queue_timeout, and all are converted back', async () => {
    const text = `:80 {
	reverse_proxy localhost:9000 {
		lb_max_requests 10
		lb_queue 50
		lb_queue_timeout 5s
	}
}
`;
    const document = await fromCaddyfile(text);
    expect(JSON.stringify(document)).to.contain(
      '"load_balancing":{"max_requests":10,"queue":50,"queue_timeout":5000000000}',
    );
    expect((await asCaddyfile(document)).text).to.equal(text);
  });
});
