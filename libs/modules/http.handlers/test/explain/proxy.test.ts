import { expect } from 'chai';
import type { Json } from '@sluice/base';
import { withRoutes } from '@sluice/testing';
import { explained, explainRoutes } from './support.ts';

function proxy(dials: readonly string[], options: Readonly<Record<string, Json>> = {}): Json {
  return { handler: 'reverse_proxy', upstreams: dials.map((dial) => ({ dial })), ...options };
}

const policy = (name: string): Json => ({ load_balancing: { selection_policy: { policy: name } } });

describe('explain of a reverse proxy', () => {
  it('says which upstream the policy takes, what would be sent, and sends nothing', async () => {
    const { outcome } = await explainRoutes(
      [{ handle: [proxy(['10.0.0.1:80', '10.0.0.2:80'], policy('first') as never), { handler: 'static_response' }] }],
      { url: 'http://a.example/x?token=secret', headers: { Cookie: 'sid=1', 'X-A': 'b' }, client: '192.0.2.9' },
    );
    expect(outcome).to.include({ kind: 'outward', status: 0, handler_id: 'http.handlers.reverse_proxy' });
    expect(outcome.upstream).to.deep.equal({
      address: '10.0.0.1:80',
      known: 'evaluated',
      candidates: [
        { address: '10.0.0.1:80', chosen: true, why: 'the policy takes it' },
        { address: '10.0.0.2:80', chosen: false, why: 'the policy takes another one' },
      ],
    });
    expect(outcome.sends).to.deep.include({ method: 'GET', uri: '/x?token=REDACTED', host: 'a.example' });
    expect(outcome.sends?.['headers']).to.deep.include({
      cookie: ['REDACTED'],
      'x-a': ['b'],
      'x-forwarded-for': ['192.0.2.9'],
    });
  });

  it('peeks at whose turn it is', async () => {
    const config = await explained(
      withRoutes([{ handle: [proxy(['10.0.0.1:80', '10.0.0.2:80'], policy('round_robin') as never)] }]),
    );
    try {
      const seen: (string | null | undefined)[] = [];
      for (let i = 0; i < 3; i++) seen.push((await config.explain('http://a.example/')).outcome.upstream?.address);
      expect(new Set(seen).size).to.equal(1);
    } finally {
      await config.close();
    }
  });

  it('does not know what chance takes, unless it is told', async () => {
    const routes = [{ handle: [proxy(['10.0.0.1:80', '10.0.0.2:80'], policy('random') as never)] }];
    const first = await explainRoutes(routes, 'http://a.example/');
    expect(first.outcome.upstream?.known).to.equal('unknown');
    const told = await explainRoutes(routes, { url: 'http://a.example/', random: 0.9 });
    expect(told.outcome.upstream).to.include({ address: '10.0.0.2:80', known: 'evaluated' });
  });

  it('goes on with the response that is declared', async () => {
    const guard = proxy(['10.0.0.9:9000'], {
      rewrite: { method: 'GET', uri: '/verify' },
      handle_response: [{ match: { status_code: [2] }, routes: [{ handle: [{ handler: 'vars', ok: '1' }] }] }],
    });
    const routes = [{ handle: [guard] }, { handle: [{ handler: 'static_response', body: 'in as {http.vars.ok}' }] }];
    const passed = await explainRoutes(routes, { url: 'http://a.example/', responses: [{ status: 204 }] });
    expect(passed.outcome).to.include({ kind: 'response', status: 200, body: 'in as 1' });
    expect(passed.outcome.routes).to.include('apps.http.servers.s.routes[0].handle[0].handle_response[0].routes[0]');
    const refused = await explainRoutes(routes, {
      url: 'http://a.example/',
      responses: [{ upstream: '10.0.0.9:9000', status: 401, headers: { 'X-Why': 'no' }, body: 'who?' }],
    });
    expect(refused.outcome).to.include({ kind: 'response', status: 401, body: 'who?' });
    expect(refused.outcome.headers).to.deep.include({ 'x-why': ['no'] });
  });

  it('runs the error routes where an upstream is declared to fail', async () => {
    const { outcome } = await explainRoutes(
      [{ handle: [proxy(['10.0.0.1:80'])] }],
      { url: 'http://a.example/', responses: [{ error: 'timeout' }] },
      { errors: { routes: [{ handle: [{ handler: 'static_response', body: 'sorry' }] }] } },
    );
    expect(outcome).to.include({ kind: 'response', status: 504, body: 'sorry' });
    expect(outcome.error?.status).to.equal(504);
  });
});
