import { expect } from 'chai';
import { readFileSync, readdirSync } from 'node:fs';
import { httpHandlers, httpMatchers, type HttpHandler } from '@sluice/http-app';
import { defineModule, options, Registry } from '@sluice/registry';
import { withRoutes } from '@sluice/testing';
import { register } from '@sluice/http.handlers';
import { register as registerMatchers } from '@sluice/http.matchers';
import { explained } from './support.ts';

describe('declared effects of modules in explanations', () => {
  it('every handler and matcher declares its effects', async () => {
    const registry = new Registry();
    registry.use(register).use(registerMatchers);
    await registry.loadAll();
    const all = [...registry.inNamespace(httpHandlers.id), ...registry.inNamespace(httpMatchers.id)];
    expect(all.length).to.be.greaterThan(30);
    expect(
      all.filter(({ descriptor }) => (descriptor.effect ?? 'opaque') === 'opaque').map(({ id }) => id),
    ).to.deep.equal([]);
  });

  it('explain follows both outcomes of modules without declared effects, and does not run these modules', async () => {
    let runs = 0;
    const silent = defineModule(httpHandlers, {
      name: 'silent',
      help: 'Says nothing of what it does.',
      config: options({}),
      provision: (): HttpHandler => ({
        handle: (exchange, next) => {
          runs++;
          return next(exchange);
        },
      }),
    });
    const config = await explained(
      withRoutes([{ handle: [{ handler: 'silent' }, { handler: 'static_response', body: 'behind' }] }]),
      [(registry) => void registry.add(silent)],
    );
    try {
      const { outcome, unknown, paths } = await config.explain('http://a.example/');
      expect(outcome.kind).to.equal('unknown');
      expect(unknown).to.deep.equal(['what http.handlers.silent does']);
      expect(paths.map((path) => path.outcome.kind)).to.deep.equal(['response', 'opaque']);
      expect(runs).to.equal(0);
    } finally {
      await config.close();
    }
  });

  it('explain does not open sockets or files, and does not change counters or logs', async () => {
    const upstreams = [{ dial: '127.0.0.1:9' }, { dial: '127.0.0.1:10' }];
    const health = { passive: { fail_duration: '1m', max_fails: 1, unhealthy_status: [5] } };
    const balancing = { selection_policy: { policy: 'round_robin' }, retries: 2 };
    const config = await explained(
      withRoutes(
        [
          { match: [{ path: ['/error'] }], handle: [{ handler: 'error', status_code: 500 }] },
          { handle: [{ handler: 'reverse_proxy', upstreams, health_checks: health, load_balancing: balancing }] },
        ],
        { logs: {} },
      ),
    );
    try {
      const { server } = config;
      const before = await state();
      for (const url of ['http://a.example/', 'http://a.example/error'])
        for (const responses of [
          [],
          [{ status: 503 }],
          [{ error: 'refused' as const }],
          [{ error: 'timeout' as const }],
        ])
          await config.explain({ url, responses, client: '192.0.2.1' });
      expect(await state()).to.deep.equal(before);

      async function state(): Promise<unknown> {
        const upstreamState = (await server.admin('/reverse_proxy/upstreams?detail')).json();
        return { upstreamState, sockets: sockets(), epoch: server.runtime.epochs.current.inFlight };
      }
    } finally {
      await config.close();
    }
  });

  it('explain shows no secrets', async () => {
    const config = await explained(
      withRoutes([
        { match: [{ header: { Authorization: ['Bearer planted-1'] } }], handle: [{ handler: 'static_response' }] },
        {
          handle: [
            { handler: 'vars', api_token: 'planted-2' },
            { handler: 'headers', request: { set: { Cookie: ['planted-3'] } } },
          ],
        },
        { handle: [{ handler: 'reverse_proxy', upstreams: [{ dial: '127.0.0.1:9' }] }] },
      ]),
    );
    try {
      const explanation = await config.explain({
        url: 'http://a.example/?token=planted-4&a=1',
        headers: { Authorization: 'Basic planted-5', 'X-Api-Key': 'planted-6', Cookie: 'planted-7' },
        client: '192.0.2.1',
        responses: [{ status: 200, headers: { 'Set-Cookie': 'planted-8' } }],
      });
      expect(explanation.outcome.kind).to.equal('response');
      expect(JSON.stringify(explanation)).to.not.include('planted');
    } finally {
      await config.close();
    }
  });

  it('explain stops after too many steps, and reports that it stopped', async () => {
    const routes = Array.from({ length: 1200 }, (_, i) => ({
      match: [{ header: { 'X-A': [String(i)] } }],
      handle: [{ handler: 'static_response' }],
    }));
    const config = await explained(withRoutes(routes));
    try {
      const { outcome, truncated } = await config.explain('http://a.example/');
      expect(truncated).to.equal('steps');
      expect(outcome.kind).to.equal('unknown');
    } finally {
      await config.close();
    }
  });
});

/** Returns the number of open sockets and files of this process, if available. */
function sockets(): number {
  try {
    return (
      readdirSync('/proc/self/fd').length +
      readFileSync('/proc/self/net/tcp', 'utf8')
        .split('\n')
        .filter((line) => line.includes(':0009 ')).length
    );
  } catch {
    return 0;
  }
}
