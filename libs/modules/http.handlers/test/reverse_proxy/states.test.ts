import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { circuitBreakers } from '@sluice/http-app';
import type { JsonObject } from '@sluice/base';
import { defineModule, options, type Registry, type Token } from '@sluice/registry';
import { Metrics, metricsToken } from '@sluice/telemetry';
import { serve, withRoutes, type TestServer } from '@sluice/testing';
import { deadAddress, httpUpstream, Opened, packages, proxyTo } from './support.ts';

/** State of an upstream, as returned by the admin API. */
interface State {
  readonly state: string;
  readonly reason: string;
  readonly since: string;
}

interface Entry extends State {
  readonly address: string;
  readonly proxies: readonly (State & { readonly where: string })[];
}

let isBreakerOpen = false;

async function eventually(isTrue: () => Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + 10_000;
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`${what}: not within 10 s`);
    await sleep(5);
  }
}

/** A circuit breaker that the test controls. */
const breaker = defineModule(circuitBreakers, {
  name: 'switch',
  help: 'Opens when the test says so.',
  config: options({}),
  provision: () => ({
    get ok() {
      return !isBreakerOpen;
    },
    record: () => undefined,
  }),
});

const refused = 'last: the connection could not be established';

describe('http.handlers.reverse_proxy: upstream states', () => {
  const opened = new Opened();
  const realNow = Date.now;
  let metrics: Metrics;
  afterEach(async () => {
    Date.now = realNow;
    isBreakerOpen = false;
    await opened.close();
  });

  function pass(milliseconds: number): void {
    const now = Date.now;
    Date.now = () => now() + milliseconds;
  }

  async function start(...proxies: JsonObject[]): Promise<TestServer> {
    metrics = new Metrics();
    const routes = proxies.map((proxy, i) => ({ match: [{ path: [`/${i}`] }], handle: [proxy] }));
    return opened.add(
      await serve(withRoutes(routes), {
        register: [...(packages.register ?? []), (registry: Registry) => void registry.add(breaker)],
        services: new Map<Token<unknown>, unknown>([[metricsToken, metrics]]),
      }),
    );
  }

  async function entries(server: TestServer): Promise<readonly Entry[]> {
    return (await server.admin('/reverse_proxy/upstreams?detail')).json() as readonly Entry[];
  }

  /** Returns the state of the only upstream. Verifies that the state began between the two given times. */
  async function stateOf(server: TestServer, from = 0, to = Number.POSITIVE_INFINITY): Promise<string> {
    const [entry] = await entries(server);
    const { state, reason, since } = entry!;
    expect(new Date(since).toISOString()).to.equal(since);
    expect(Date.parse(since), `${state} since`).to.be.within(from, to);
    return `${state}: ${reason}`;
  }

  async function upstream(): Promise<{ readonly dial: string; status: number }> {
    const chosen = { dial: '', status: 200 };
    const server = opened.add(
      await httpUpstream((_request, response) => void response.writeHead(chosen.status).end('ok')),
    );
    chosen.dial = server.dial;
    return chosen;
  }

  it('the upstream state is unknown without health checks, regardless of responses', async () => {
    const { dial } = await upstream();
    const before = Date.now();
    const server = await start(proxyTo(dial));
    const known = Date.now();
    expect(await stateOf(server, before, known)).to.equal('unknown: no health checks are configured');
    expect((await server.request('/0')).status).to.equal(200);
    expect(await stateOf(server, before, known)).to.equal('unknown: no health checks are configured');
  });

  it('the upstream state becomes degraded if requests fail, and unknown again after a minute without failures', async () => {
    const server = await start(proxyTo(await deadAddress()));
    const before = Date.now();
    expect((await server.request('/0')).status).to.equal(502);
    const first = Date.now();
    expect(await stateOf(server, before, first)).to.equal(`degraded: 1 request failed; ${refused}`);
    pass(59_000);
    expect((await server.request('/0')).status).to.equal(502);
    const last = Date.now();
    expect(await stateOf(server, before, first)).to.equal(`degraded: 2 requests failed; ${refused}`);
    pass(60_000);
    expect(await stateOf(server, first + 60_000, last + 60_000)).to.equal('unknown: no health checks are configured');
    const again = Date.now();
    expect((await server.request('/0')).status).to.equal(502);
    expect(await stateOf(server, again)).to.equal(`degraded: 1 request failed; ${refused}`);
  });

  it('passive health checks change the state to unknown, healthy, degraded, unhealthy, degraded and healthy, in this order', async () => {
    const chosen = await upstream();
    const passive = { fail_duration: '300ms', max_fails: 2, unhealthy_status: [503] };
    const server = await start(proxyTo(chosen.dial, { health_checks: { passive } }));
    expect(await stateOf(server)).to.equal('unknown: no request has been sent yet');
    const before = Date.now();
    await server.request('/0');
    expect(await stateOf(server, before, Date.now())).to.equal(
      'healthy: passive health checks have counted no failures',
    );
    chosen.status = 503;
    const failing = Date.now();
    await server.request('/0');
    expect(await stateOf(server, failing, Date.now())).to.equal(
      'degraded: 1 request failed; last: passive health checks counted the response as a failure',
    );
    await server.request('/0');
    const failed = '2 requests failed; last: passive health checks counted the response as a failure';
    expect(await stateOf(server, failing, Date.now())).to.equal(`unhealthy: ${failed} (max_fails: 2)`);
    await eventually(async () => !(await stateOf(server)).startsWith('unhealthy'), 'the end of fail_duration');
    // Failure expiry times are rounded to whole seconds.
    expect(await stateOf(server, failing, Date.now())).to.equal(`degraded: ${failed}`);
    pass(60_000);
    await eventually(async () => (await stateOf(server)).startsWith('healthy'), 'the end of the last fail_duration');
    expect(await stateOf(server, failing + 60_000, Date.now())).to.equal(
      'healthy: passive health checks have counted no failures',
    );
  });

  it('active health checks change the state to unknown, healthy, unhealthy and healthy, in this order', async () => {
    const chosen = await upstream();
    const active = { uri: '/', interval: '30ms', passes: 2, fails: 2 };
    const before = Date.now();
    const server = await start(proxyTo(chosen.dial, { health_checks: { active } }));
    const seen = [await stateOf(server, before, Date.now())];
    const becomes = async (start: string): Promise<void> => {
      await eventually(async () => (await stateOf(server)).startsWith(start), start);
      seen.push(await stateOf(server, before, Date.now()));
    };
    await becomes('healthy');
    const failing = Date.now();
    chosen.status = 500;
    await becomes('unhealthy');
    expect(await stateOf(server, failing, Date.now())).to.match(/^unhealthy/);
    const passing = Date.now();
    chosen.status = 200;
    await becomes('healthy');
    expect(await stateOf(server, passing, Date.now())).to.match(/^healthy/);
    expect(seen).to.deep.equal([
      'unknown: no active health check has completed',
      'healthy: active health checks pass',
      'unhealthy: active health check failed: status code 500',
      'healthy: active health checks pass',
    ]);
  });

  it('an upstream is degraded if requests fail while active health checks pass', async () => {
    const { dial } = await upstream();
    const active = { uri: '/', upstream: dial, interval: '30ms' };
    const server = await start(proxyTo(await deadAddress(), { health_checks: { active } }));
    await eventually(async () => (await stateOf(server)).startsWith('healthy'), 'a check');
    const before = Date.now();
    expect((await server.request('/0')).status).to.equal(502);
    const last = Date.now();
    expect(await stateOf(server, before, last)).to.equal(`degraded: 1 request failed; ${refused}`);
    pass(60_000);
    expect(await stateOf(server, before + 60_000, last + 60_000)).to.equal('healthy: active health checks pass');
  });

  it('an upstream is unhealthy while the circuit breaker is open', async () => {
    const { dial } = await upstream();
    const server = await start(proxyTo(dial, { circuit_breaker: { type: 'switch' } }));
    isBreakerOpen = true;
    expect(await stateOf(server)).to.equal('unhealthy: the circuit breaker is open');
    isBreakerOpen = false;
    expect(await stateOf(server)).to.equal('unknown: no health checks are configured');
  });

  it('the admin API and metrics report the worst state of an upstream among all of its proxies', async () => {
    const chosen = await upstream();
    const active = { uri: '/', interval: '30ms' };
    const server = await start(proxyTo(chosen.dial), proxyTo(chosen.dial, { health_checks: { active } }));
    const seen = async (): Promise<string[]> => {
      const [entry] = await entries(server);
      return [entry!.state, ...entry!.proxies.map(({ state }) => state)];
    };
    await eventually(async () => (await seen())[0] === 'healthy', 'a check');
    expect(await seen()).to.deep.equal(['healthy', 'unknown', 'healthy']);
    chosen.status = 500;
    await eventually(async () => (await seen())[0] === 'unhealthy', 'a check that fails');
    expect(await seen()).to.deep.equal(['unhealthy', 'unknown', 'unhealthy']);
    const family = metrics.snapshot().find(({ name }) => name === 'sluice_reverse_proxy_upstream_state');
    expect(family!.series.map(({ labels, value }) => `${labels.join(' ')} ${value}`)).to.have.members([
      `unhealthy ${chosen.dial} 1`,
      `degraded ${chosen.dial} 0`,
      `healthy ${chosen.dial} 0`,
      `unknown ${chosen.dial} 0`,
    ]);
    await server.reconciler.load(withRoutes([]));
    expect(metrics.snapshot().find(({ name }) => name === 'sluice_reverse_proxy_upstream_state')?.series ?? []).to.be
      .empty;
  });

  it('upstream states survive configuration changes', async () => {
    const dead = await deadAddress();
    const server = await start(proxyTo(dead));
    await server.request('/0');
    const [before] = await entries(server);
    await server.reconciler.load(withRoutes([{ handle: [proxyTo(dead, { flush_interval: -1 })] }]));
    const [after] = await entries(server);
    expect(after).to.include({ state: 'degraded', reason: before!.reason, since: before!.since });
  });
});
