import { expect } from 'chai';
import type { JsonObject } from '@sluice/base';
import { serve, withRoutes, type TestServer } from '@sluice/testing';
import { askAdmin, readUpstreams, type UpstreamEntry } from './admin.ts';
import { responding, Opened, packages, proxyTo, rawUpstream, serving, until } from './support.ts';

interface DetailedEntry extends UpstreamEntry {
  readonly draining: boolean;
  readonly latency_ms: number;
  readonly proxies: readonly Record<string, unknown>[];
}

/** Returns an upstream status without its state, which `states.test.ts` tests separately. */
function withoutState(status: Readonly<Record<string, unknown>>): object {
  const others = { ...status };
  for (const name of ['state', 'reason', 'since']) delete others[name];
  return others;
}

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

describe('http.handlers.reverse_proxy: upstreams in the admin API', () => {
  const opened = new Opened();
  afterEach(() => opened.close());

  async function detail(server: TestServer): Promise<readonly DetailedEntry[]> {
    return (await askAdmin(server, 'GET', '/reverse_proxy/upstreams?detail')) as readonly DetailedEntry[];
  }

  function drain(server: TestServer, dial: string, method = 'POST'): Promise<unknown> {
    return askAdmin(server, method, `/reverse_proxy/upstreams/${encodeURIComponent(dial)}/drain`);
  }

  /** Returns a route with a `reverse_proxy` handler. */
  function route(path: string, dials: readonly string[], options: JsonObject = {}): JsonObject {
    return { match: [{ path: [path] }], handle: [proxyTo(dials, options)] };
  }

  it('GET /reverse_proxy/upstreams lists each address once, with exactly the same fields as Caddy', async () => {
    const { dial } = opened.add(await responding(ok));
    const proxy = opened.add(await serve(withRoutes([route('/a', [dial]), route('/b', [dial])]), packages));
    expect(await readUpstreams(proxy)).to.deep.equal([{ address: dial, num_requests: 0, fails: 0 }]);
  });

  it('GET /reverse_proxy/upstreams?detail includes health, latency and each proxy, even after proxies have moved within the configuration', async () => {
    const { dial } = opened.add(await responding(ok));
    const passive = { fail_duration: '1m', max_fails: 3, unhealthy_request_count: 7 };
    const routes = [route('/a', [dial]), route('/b', [dial], { health_checks: { passive } })];
    const proxy = opened.add(await serve(withRoutes(routes), packages));
    for (const path of ['/a', '/b', '/b']) expect((await proxy.request(path)).status).to.equal(200);
    const [entry] = await detail(proxy);
    expect(entry).to.include({ address: dial, num_requests: 0, fails: 0, draining: false });
    expect(entry?.latency_ms).to.be.greaterThan(0).and.lessThan(1000);
    const common = {
      available: true,
      healthy: true,
      active: null,
      ejected_until: null,
      last_check: null,
      num_requests: 0,
    };
    const first = { ...common, max_fails: 0, max_requests: 0, total_requests: 1 };
    const second = { ...common, max_fails: 3, max_requests: 7, total_requests: 2 };
    expect(entry?.proxies.map(withoutState)).to.deep.equal([
      { where: 'apps.http.servers.s.routes[0].handle[0]', ...first },
      { where: 'apps.http.servers.s.routes[1].handle[0]', ...second },
    ]);
    await proxy.reconciler.load(withRoutes([routes[1] as JsonObject]));
    expect((await detail(proxy))[0]?.proxies.map(withoutState)).to.deep.equal([
      { where: 'apps.http.servers.s.routes[0].handle[0]', ...second },
    ]);
  });

  it('GET /reverse_proxy/upstreams counts requests in flight for the address and for the proxy', async () => {
    const responses: (() => void)[] = [];
    const upstream = opened.add(
      await rawUpstream((_text, socket) => {
        responses.push(() => socket.write(ok));
      }),
    );
    const proxy = opened.add(await serving([proxyTo(upstream.dial)]));
    const requests = [proxy.request('/'), proxy.request('/')];
    await until(() => responses.length === 2, 'two requests');
    const [entry] = await detail(proxy);
    expect(entry).to.include({ num_requests: 2 });
    expect(entry?.proxies[0]).to.include({ num_requests: 2, total_requests: 2 });
    for (const respond of responses) respond();
    await Promise.all(requests);
    expect((await detail(proxy))[0]).to.include({ num_requests: 0 });
    expect((await detail(proxy))[0]?.proxies[0]).to.include({ num_requests: 0, total_requests: 2 });
  });

  it('reverse_proxy sends no new requests to a drained upstream, and keeps it drained across configuration changes', async () => {
    let finish: (() => void) | null = null;
    const slow = opened.add(await rawUpstream((_text, socket) => void (finish = () => socket.write(ok))));
    const { dial } = opened.add(await responding('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nother'));
    const options = { load_balancing: { selection_policy: { policy: 'first' } } };
    const routes = [route('/a', [slow.dial, dial], options)];
    const proxy = opened.add(await serve(withRoutes(routes), packages));
    const begun = proxy.request('/a');
    await until(() => finish !== null, 'the request');
    expect(await drain(proxy, slow.dial)).to.include({ address: slow.dial, draining: true, num_requests: 1 });
    expect((await proxy.request('/a')).text).to.equal('other');
    finish!();
    expect((await begun).text).to.equal('ok');
    await proxy.reconciler.load(withRoutes([...routes, route('/b', [dial])]));
    expect((await proxy.request('/a')).text).to.equal('other');
    await drain(proxy, dial);
    expect((await proxy.request('/a')).status).to.equal(503);
    expect((await detail(proxy)).map(({ draining }) => draining)).to.deep.equal([true, true]);
    expect(await drain(proxy, dial, 'DELETE')).to.include({ draining: false });
    expect((await proxy.request('/a')).text).to.equal('other');
  });

  it('the admin API does not drain an unused upstream', async () => {
    const { dial } = opened.add(await responding(ok));
    const proxy = opened.add(await serving([proxyTo(dial)]));
    const error: unknown = await drain(proxy, '127.0.0.1:1').catch((reason: unknown) => reason);
    expect(error).to.include({ status: 404 });
    expect((error as Error).message).to.contain('"127.0.0.1:1"');
    expect((await proxy.request('/')).text).to.equal('ok');
  });
});
