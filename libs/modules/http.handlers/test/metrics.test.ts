import { expect } from 'chai';
import { httpHandlers } from '@sluice/http-app';
import { register } from '@sluice/http.handlers';
import { register as registerMatchers } from '@sluice/http.matchers';
import { register as registerProxy } from '@sluice/http.reverse_proxy';
import { ControlBus, threadBusToken } from '@sluice/threads';
import { defineModule, options, type Registry, type Token } from '@sluice/registry';
import { Metrics, metricsToken, shareMetrics } from '@sluice/telemetry';
import { silentLogger, type Json } from '@sluice/base';
import { serve, type TestServer } from '@sluice/testing';

let goOn: () => void = () => undefined;

/** A handler that waits until the test continues it before it responds. */
const slow = defineModule(httpHandlers, {
  name: 'slow',
  help: 'Waits for the test.',
  config: options({}),
  provision: () => ({
    handle: async ({ response }) => {
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      response.writeHead(202);
      response.end('done');
    },
  }),
});

const text = (status: number): Json => ({ handler: 'static_response', status_code: status, body: 'text' });

describe('request metrics', () => {
  let metrics: Metrics;
  let server: TestServer;

  async function start(options: Json, routes: Json, more: object = {}): Promise<void> {
    metrics = new Metrics();
    const bus = new ControlBus(silentLogger);
    shareMetrics(metrics, bus);
    server = await serve(document(options, routes, more), {
      register: [register, registerMatchers, registerProxy, (registry: Registry) => void registry.add(slow)],
      services: new Map<Token<unknown>, unknown>([
        [metricsToken, metrics],
        [threadBusToken, bus],
      ]),
    });
  }

  const document = (options: Json, routes: Json, more: object = {}): Json => ({
    apps: { http: { ...(options === null ? {} : { metrics: options }), servers: { s: { routes, ...more } } } },
  });

  /** Returns the values of a metric by its labels. */
  function values(name: string): Record<string, number> {
    const family = metrics.snapshot().find((each) => each.name === name);
    return Object.fromEntries((family?.series ?? []).map(({ labels, value }) => [labels.join(' '), value]));
  }

  const requests = (): Record<string, number> => values('caddy_http_requests_total');

  afterEach(() => server.close());

  it('request metrics are disabled by default', async () => {
    await start(null, [{ handle: [text(200)] }]);
    await server.request('/');
    expect(metrics.snapshot()).to.deep.equal([]);
  });

  it('request metrics of all servers are enabled if one server enables them', async () => {
    await start(null, [{ handle: [text(200)] }], { metrics: { per_host: true } });
    await server.request('/');
    expect(requests()).to.deep.equal({ 'static_response _other s': 1 });
  });

  it('request metrics include requests in flight and time to first byte', async () => {
    await start({}, [{ handle: [{ handler: 'slow' }] }]);
    const response = server.request('/');
    expect(values('caddy_http_requests_in_flight')).to.deep.equal({ 'slow s': 1 });
    expect(requests()).to.deep.equal({ 'slow s': 0 });
    await new Promise((resolve) => setTimeout(resolve, 20));
    goOn();
    await response;
    expect(values('caddy_http_requests_in_flight')).to.deep.equal({ 'slow s': 0 });
    expect(requests()).to.deep.equal({ 'slow s': 1 });
    const total = values('caddy_http_request_duration_seconds')['202 slow GET s'] as number;
    const first = values('caddy_http_response_duration_seconds')['202 slow GET s'] as number;
    expect(first).to.be.within(0.015, total);
    expect(values('caddy_http_response_size_bytes')).to.deep.equal({ '202 slow GET s': 4 });
  });

  const hostCases: { mode: object; host: string; label: string }[] = [
    { mode: { per_host: true }, host: 'a.test', label: 'a.test' },
    { mode: { per_host: true }, host: 'A.Test:8080', label: 'a.test' },
    { mode: { per_host: true }, host: 'x.w.test', label: '_other' },
    { mode: { per_host: true }, host: 'b.test', label: '_other' },
    { mode: { per_host: true, observe_catchall_hosts: true }, host: 'b.test', label: 'b.test' },
    { mode: { per_host: true, observe_catchall_hosts: true }, host: 'X.w.test:1', label: 'x.w.test' },
  ];
  for (const { mode, host, label } of hostCases) {
    it(`request metrics count ${host} as ${label} with ${JSON.stringify(mode)}`, async () => {
      await start(mode as Json, [{ match: [{ host: ['A.test', '*.w.test'] }] }, { handle: [text(200)] }]);
      await server.request({ host });
      expect(requests()[`static_response ${label} s`]).to.equal(1);
    });
  }

  it('request metrics have limited cardinality regardless of hosts and methods', async () => {
    await start({ per_host: true, observe_catchall_hosts: true }, [{ handle: [text(200)] }]);
    for (let i = 0; i < 1500; i++) await server.request({ host: `h${i}.test`, method: `M${i}` });
    expect(Object.keys(requests())).to.have.length(1001);
    expect(requests()['static_response _other s']).to.equal(500);
    const [family] = metrics.snapshot().filter(({ name }) => name === 'caddy_http_request_size_bytes');
    expect(new Set(family?.series.map(({ labels }) => labels[3]))).to.deep.equal(new Set(['OTHER']));
  });

  it('request metrics persist across configuration changes, and track the configured hosts', async () => {
    const routes = (hosts: string[]): Json => [{ match: [{ host: hosts }] }, { handle: [text(200)] }];
    await start({ per_host: true }, routes(['a.test']));
    await server.request({ host: 'a.test' });
    await server.request({ host: 'b.test' });
    await server.reconciler.load(document({ per_host: true }, routes(['a.test', 'b.test'])));
    await server.request({ host: 'a.test' });
    await server.request({ host: 'b.test' });
    expect(requests()).to.include({
      'static_response a.test s': 2,
      'static_response b.test s': 1,
      'static_response _other s': 1,
    });
    await server.reconciler.load(document(null, routes(['a.test'])));
    await server.request({ host: 'a.test' });
    expect(requests()['static_response a.test s']).to.equal(2);
  });

  it('the metrics handler serves metrics, in OpenMetrics format if enabled', async () => {
    await start({}, [
      { match: [{ path: ['/open'] }], handle: [{ handler: 'metrics' }] },
      { handle: [{ handler: 'metrics', disable_openmetrics: true }] },
    ]);
    const accept = { accept: 'application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.2' };
    const open = await server.request({ path: '/open', headers: accept });
    expect(open.headers.get('content-type')).to.equal(
      'application/openmetrics-text; version=1.0.0; charset=utf-8; escaping=underscores',
    );
    expect(open.text).to.match(/^# HELP caddy_http_requests_in_flight[^]*# EOF\n$/);
    const plain = await server.request({ path: '/', headers: accept });
    expect(plain.headers.get('content-type')).to.match(/^text\/plain/);
    expect(plain.text).to.include('caddy_http_requests_total{handler="metrics",server="s"} 1\n');
  });

  it('upstream metrics report the health of upstreams as long as proxies use them', async () => {
    const proxy = (...upstreams: string[]): Json => [
      { handle: [{ handler: 'reverse_proxy', upstreams: upstreams.map((dial) => ({ dial })) }] },
    ];
    await start(null, proxy('127.0.0.1:1', '127.0.0.1:2'));
    expect(values('caddy_reverse_proxy_upstreams_healthy')).to.deep.equal({ '127.0.0.1:1': 1, '127.0.0.1:2': 1 });
    await server.reconciler.load(document(null, proxy('127.0.0.1:2')));
    expect(values('caddy_reverse_proxy_upstreams_healthy')).to.deep.equal({ '127.0.0.1:2': 1 });
  });
});
