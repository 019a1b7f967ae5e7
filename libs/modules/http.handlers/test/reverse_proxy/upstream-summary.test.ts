import { expect } from 'chai';
import type { JsonObject } from '@sluice/base';
import { serve, withRoutes, type TestServer } from '@sluice/testing';
import { askAdmin } from './admin.ts';
import { Opened, packages, proxyTo, responding } from './support.ts';

interface Changes {
  readonly cursor: string;
  readonly complete: boolean;
  readonly upstreams: readonly Record<string, unknown>[];
}

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

describe('http.handlers.reverse_proxy: upstream summary in the admin API', () => {
  const opened = new Opened();
  afterEach(() => opened.close());

  async function summary(server: TestServer, since?: string): Promise<Changes> {
    const query = since === undefined ? '' : `?since=${encodeURIComponent(since)}`;
    return (await askAdmin(server, 'GET', `/reverse_proxy/upstreams/summary${query}`)) as Changes;
  }

  function route(path: string, dials: readonly string[]): JsonObject {
    return { match: [{ path: [path] }], handle: [proxyTo(dials)] };
  }

  async function twoUpstreams(): Promise<{ server: TestServer; a: string; b: string }> {
    const { dial: a } = opened.add(await responding(ok));
    const { dial: b } = opened.add(await responding(ok));
    const server = opened.add(
      await serve(withRoutes([route('/a', [a]), route('/b', [a]), route('/c', [b])]), packages),
    );
    return { server, a, b };
  }

  it('the upstream summary counts the proxies of each upstream', async () => {
    const { server, a, b } = await twoUpstreams();
    const { complete, upstreams } = await summary(server);
    expect(complete).to.equal(true);
    const common = {
      num_requests: 0,
      queued: 0,
      fails: 0,
      draining: false,
      latency_ms: 0,
      unhealthy: 0,
      checked: 0,
      ejected_until: null,
      last_check: null,
    };
    const state = { state: 'unknown', reason: 'no health checks are configured' };
    const withoutTime = upstreams.map((each) => {
      const { since, ...others } = each as typeof each & { readonly since: string };
      expect(new Date(since).toISOString()).to.equal(since);
      return others;
    });
    expect(withoutTime).to.deep.equal([
      { address: a, ...common, ...state, used_by: 2 },
      { address: b, ...common, ...state, used_by: 1 },
    ]);
  });

  it('the upstream summary returns only upstreams that changed after the cursor', async () => {
    const { server, a, b } = await twoUpstreams();
    const first = await summary(server);
    expect(await summary(server, first.cursor)).to.deep.equal({ cursor: first.cursor, complete: false, upstreams: [] });
    await askAdmin(server, 'POST', `/reverse_proxy/upstreams/${encodeURIComponent(b)}/drain`);
    const second = await summary(server, first.cursor);
    expect(second.complete).to.equal(false);
    expect(second.upstreams.map(({ address, draining }) => [address, draining])).to.deep.equal([[b, true]]);
    expect((await summary(server, second.cursor)).upstreams).to.deep.equal([]);
    // Another client that uses the first cursor must still receive the change.
    expect((await summary(server, first.cursor)).upstreams.map(({ address }) => address)).to.deep.equal([b]);
    await server.request('/a');
    expect((await summary(server, second.cursor)).upstreams.map(({ address }) => address)).to.deep.equal([a]);
  });

  it('the upstream summary returns all upstreams after a removal, and for a cursor from another process', async () => {
    const { server, a, b } = await twoUpstreams();
    const { cursor } = await summary(server);
    await server.reconciler.load(withRoutes([route('/a', [a])]));
    const after = await summary(server, cursor);
    expect([after.complete, after.upstreams.map(({ address }) => address)]).to.deep.equal([true, [a]]);
    await server.reconciler.load(withRoutes([route('/a', [a]), route('/c', [b])]));
    const added = await summary(server, after.cursor);
    expect([added.complete, added.upstreams.map(({ address }) => address)]).to.deep.equal([false, [b]]);
    for (const unknown of ['other.3', '', `${cursor}9`, cursor.split('.')[0] ?? ''])
      expect(await summary(server, unknown)).to.include({ complete: true });
  });

  it('the upstream summary lists the proxies of one upstream in pages', async () => {
    const { dial } = opened.add(await responding(ok));
    const { dial: other } = opened.add(await responding(ok));
    const routes = Array.from({ length: 5 }, (_, index) => route(`/${index}`, [dial]));
    const server = opened.add(await serve(withRoutes([...routes, route('/other', [other])]), packages));
    const page = async (query: string): Promise<unknown> => {
      const address = encodeURIComponent(dial);
      const list = await askAdmin(server, 'GET', `/reverse_proxy/upstreams?detail&address=${address}${query}`);
      return (list as { address: string; used_by: number; proxies: { where: string }[] }[]).map(
        ({ address: of, used_by: count, proxies }) => [
          of,
          count,
          proxies.map(({ where }) => where.replace(/^.*routes/, '')),
        ],
      );
    };
    expect(await page('&offset=3&limit=5')).to.deep.equal([[dial, 5, ['[3].handle[0]', '[4].handle[0]']]]);
    expect(await page('&limit=1')).to.deep.equal([[dial, 5, ['[0].handle[0]']]]);
    expect(await askAdmin(server, 'GET', '/reverse_proxy/upstreams?detail&address=127.0.0.1:1')).to.deep.equal([]);
    for (const wrong of ['limit=0', 'limit=1001', 'offset=-1', 'offset=a', 'limit='])
      expect(await page(`&${wrong}`).catch((error: unknown) => error)).to.include({ status: 400 });
  });
});
