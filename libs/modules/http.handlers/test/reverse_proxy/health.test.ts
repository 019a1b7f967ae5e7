import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '@sluice/base';
import { upstreamEvents, type UpstreamHealthEvent } from '@sluice/http-app';
import { serve, withRoutes, type TestServer } from '@sluice/testing';
import { deadAddress, httpUpstream, Opened, packages, proxyTo, serving, until } from './support.ts';

describe('http.handlers.reverse_proxy: active health checks', () => {
  const opened = new Opened();
  afterEach(() => opened.close());

  async function status(proxy: TestServer): Promise<number> {
    return (await proxy.request('/')).status;
  }

  async function becomes(proxy: TestServer, wanted: number): Promise<void> {
    const end = performance.now() + 3000;
    while ((await status(proxy)) !== wanted) {
      if (performance.now() > end) throw new Error(`the status does not become ${wanted}`);
      await sleep(10);
    }
  }

  const judgements: readonly [what: string, active: JsonObject, healthy: boolean][] = [
    ['a successful response', {}, true],
    ['a redirect', { uri: '/redirect' }, false],
    ['a followed redirect', { uri: '/redirect', follow_redirects: true }, true],
    ['the expected status', { uri: '/status/418', expect_status: 418 }, true],
    ['the expected status class', { uri: '/status/418', expect_status: 4 }, true],
    ['an unexpected status', { uri: '/status/418' }, false],
    ['the expected body', { expect_body: '^o.$' }, true],
    ['an unexpected body', { expect_body: 'nope' }, false],
    ['expected text beyond max_size', { uri: '/long', expect_body: 'end', max_size: 10 }, false],
    ['a response after the timeout', { uri: '/slow', timeout: '50ms' }, false],
    [
      'the response to a custom method, body and header fields',
      { uri: '/post', method: 'POST', body: 'b', headers: { 'X-H': ['1', '2'], Host: ['health.test'] } },
      true,
    ],
    ['an unreachable separate health check address', { upstream: 'dead' }, false],
  ];
  for (const [what, active, healthy] of judgements) {
    it(`an active health check reports ${what} as ${healthy ? 'healthy' : 'unhealthy'}`, async () => {
      const upstream = opened.add(
        await httpUpstream((request, response) => {
          const code = Number(/^\/status\/(\d+)$/.exec(request.url ?? '')?.[1] ?? 200);
          if (request.url === '/slow') return;
          if (request.url === '/redirect') response.writeHead(302, { Location: '/health' }).end();
          else if (request.url === '/long') response.end(`${'x'.repeat(100)}end`);
          else if (request.url === '/post') {
            let body = '';
            request.on('data', (chunk: Buffer) => (body += chunk.toString()));
            request.on('end', () => {
              const good =
                request.method === 'POST' &&
                body === 'b' &&
                request.headers['x-h'] === '1, 2' &&
                request.headers.host === 'health.test';
              response.writeHead(good ? 200 : 500).end();
            });
          } else response.writeHead(code).end('ok');
        }),
      );
      const check = {
        uri: '/health',
        interval: '30ms',
        ...active,
        ...(active.upstream === 'dead' ? { upstream: await deadAddress() } : {}),
      };
      const proxy = opened.add(await serving([proxyTo(upstream.dial, { health_checks: { active: check } })]));
      if (healthy) await sleep(200);
      await becomes(proxy, healthy ? 200 : 503);
    });
  }

  it('active health checks change the state after the configured number of successes or failures, and emit an event', async () => {
    let good = true;
    let checks = 0;
    const upstream = opened.add(
      await httpUpstream((request, response) => {
        if (request.url === '/health') checks++;
        response.writeHead(request.url !== '/health' || good ? 200 : 500).end();
      }),
    );
    const events: UpstreamHealthEvent[] = [];
    const active = { uri: '/health', interval: '30ms', passes: 3, fails: 2 };
    const services = new Map([[upstreamEvents, (event: UpstreamHealthEvent) => void events.push(event)]]);
    const proxy = opened.add(
      await serve(withRoutes([{ handle: [proxyTo(upstream.dial, { health_checks: { active } })] }]), {
        ...packages,
        services,
      }),
    );
    await until(() => checks >= 3, 'three checks');
    good = false;
    const before = checks;
    await becomes(proxy, 503);
    expect(checks - before).to.be.greaterThan(1);
    good = true;
    await becomes(proxy, 200);
    expect(events).to.deep.equal([
      { name: 'unhealthy', host: upstream.dial },
      { name: 'healthy', host: upstream.dial },
    ]);
  });

  it('the admin API shows the time and error of the last health check', async () => {
    let good = false;
    const upstream = opened.add(
      await httpUpstream((_request, response) => void response.writeHead(good ? 200 : 500).end()),
    );
    const active = { uri: '/health', interval: '30ms' };
    const proxy = opened.add(await serving([proxyTo(upstream.dial, { health_checks: { active } })]));
    const last = async (): Promise<{ readonly time: string; readonly problem: string | null } | null> => {
      const { json } = await proxy.admin('/reverse_proxy/upstreams?detail');
      return (json() as [{ proxies: [{ last_check: Awaited<ReturnType<typeof last>> }] }])[0].proxies[0].last_check;
    };
    let check = await last();
    while (check?.problem !== 'status code 500') check = await last();
    expect(check.time).to.equal(new Date(check.time).toISOString());
    good = true;
    while (check?.problem !== null) check = await last();
  });

  it('two health checks for one address are independent of each other, and survive unrelated changes', async () => {
    const upstream = opened.add(
      await httpUpstream((request, response) => void response.writeHead(request.url === '/bad' ? 500 : 200).end()),
    );
    const proxied = (path: string, uri: string, extra: JsonObject = {}): JsonObject => ({
      match: [{ path: [path] }],
      handle: [proxyTo(upstream.dial, { health_checks: { active: { uri, interval: '1h' } }, ...extra })],
    });
    const proxy = opened.add(await serve(withRoutes([proxied('/a', '/good'), proxied('/b', '/bad')]), packages));
    const end = performance.now() + 3000;
    while ((await proxy.request('/b')).status !== 503 && performance.now() < end) await sleep(10);
    expect([(await proxy.request('/a')).status, (await proxy.request('/b')).status]).to.deep.equal([200, 503]);
    await proxy.reconciler.load(withRoutes([proxied('/a', '/good'), proxied('/b', '/bad', { flush_interval: -1 })]));
    expect([(await proxy.request('/a')).status, (await proxy.request('/b')).status]).to.deep.equal([200, 503]);
  });
});
