import { expect } from 'chai';
import type { Json } from '@sluice/base';
import { withRoutes } from '@sluice/testing';
import { gatedUpstream } from '../reverse_proxy/queue/gated-upstream.ts';
import { explained, explainRoutes } from './support.ts';

function proxy(dials: readonly string[], options: Readonly<Record<string, Json>> = {}): Json {
  return { handler: 'reverse_proxy', upstreams: dials.map((dial) => ({ dial })), ...options };
}

const policy = (name: string): Json => ({ load_balancing: { selection_policy: { policy: name } } });

describe('explain of a reverse proxy', () => {
  it('explain reports the selected upstream and the proxied request, but does not send the request', async () => {
    const { outcome } = await explainRoutes(
      [{ handle: [proxy(['10.0.0.1:80', '10.0.0.2:80'], policy('first') as never), { handler: 'static_response' }] }],
      { url: 'http://a.example/x?token=secret', headers: { Cookie: 'sid=1', 'X-A': 'b' }, client: '192.0.2.9' },
    );
    expect(outcome).to.include({ kind: 'outward', status: 0, handler_id: 'http.handlers.reverse_proxy' });
    expect(outcome.upstream).to.include({ address: '10.0.0.1:80', known: 'evaluated' });
    const candidates = outcome.upstream?.candidates.map(({ since, ...candidate }) => {
      expect(new Date(since).toISOString()).to.equal(since);
      return candidate;
    });
    const unknown = { state: 'unknown', reason: 'no health checks are configured' };
    expect(candidates).to.deep.equal([
      { address: '10.0.0.1:80', chosen: true, possible: true, why: 'the policy selects this upstream', ...unknown },
      {
        address: '10.0.0.2:80',
        chosen: false,
        possible: false,
        why: 'the policy selects a different upstream',
        ...unknown,
      },
    ]);
    expect(outcome.sends).to.deep.include({ method: 'GET', uri: '/x?token=REDACTED', host: 'a.example' });
    expect(outcome.sends?.['headers']).to.deep.include({
      cookie: ['REDACTED'],
      'x-a': ['b'],
      'x-forwarded-for': ['192.0.2.9'],
    });
  });

  it('explain selects an upstream regardless of its limit if the proxy has a queue', async () => {
    const upstream = await gatedUpstream();
    const limited = (balancing: Json): Json => ({
      handle: [proxy([upstream.dial], { load_balancing: balancing })],
    });
    for (const [balancing, kind, depends] of [
      [{ max_requests: 1 }, 'error', undefined],
      [{ max_requests: 1, queue: 1 }, 'outward', 'requests in flight'],
    ] as const) {
      const config = await explained(withRoutes([limited(balancing)]));
      try {
        const busy = config.server.request('/api');
        await upstream.has(1);
        const { outcome } = await config.explain('http://a.example/api');
        expect(outcome.kind).to.equal(kind);
        if (depends !== undefined) expect(outcome.depends_on).to.include(depends);
        upstream.next();
        await busy;
        upstream.arrived.length = 0;
      } finally {
        await config.close();
      }
    }
    await upstream.close();
  });

  it('explain lists the fields that the transport adds to the request', async () => {
    const routes = [{ handle: [proxy(['10.0.0.1:80'])] }];
    const fieldsOf = async (request: object): Promise<unknown> =>
      (await explainRoutes(routes, { url: 'http://a.example/', client: '192.0.2.9', ...request })).outcome.sends?.[
        'headers'
      ];
    expect(await fieldsOf({})).to.deep.include({ 'accept-encoding': ['gzip'] });
    expect(await fieldsOf({ method: 'HEAD' })).to.not.have.property('accept-encoding');
    expect(await fieldsOf({ headers: { 'Accept-Encoding': 'br' } })).to.deep.include({ 'accept-encoding': ['br'] });
    expect(await fieldsOf({ method: 'POST', body: 'abc' })).to.deep.include({ 'content-length': ['3'] });
  });

  it('explain marks values as unknown if they depend on an unknown client address', async () => {
    const { outcome } = await explainRoutes([{ handle: [proxy(['10.0.0.1:80'])] }], 'http://a.example/');
    expect(outcome.sends?.['headers']).to.deep.include({ 'x-forwarded-for': null, 'x-forwarded-proto': ['http'] });
    expect(outcome.depends_on).to.include('client address');
  });

  it('explain shows the next round-robin upstream without advancing the position', async () => {
    const config = await explained(
      withRoutes([{ handle: [proxy(['10.0.0.1:80', '10.0.0.2:80'], policy('round_robin') as never)] }]),
    );
    try {
      const seen: (string | null | undefined)[] = [];
      for (let i = 0; i < 3; i++)
        seen.push((await config.explain('http://a.example/')).paths[0]?.outcome.upstream?.address);
      expect([...new Set(seen)]).to.deep.equal(['10.0.0.2:80']);
    } finally {
      await config.close();
    }
  });

  it('explain treats random choices as unknown unless they are specified', async () => {
    const routes = [{ handle: [proxy(['10.0.0.1:80', '10.0.0.2:80'], policy('random') as never)] }];
    const first = await explainRoutes(routes, 'http://a.example/');
    expect(first.outcome.upstream?.known).to.equal('unknown');
    const reported = await explainRoutes(routes, { url: 'http://a.example/', random: 0.9 });
    expect(reported.outcome.upstream).to.include({ address: '10.0.0.2:80', known: 'evaluated' });
  });

  for (const [name, options, fact] of [
    ['random', {}, 'random'],
    ['random_choose', { choose: 2 }, 'requests in flight, random'],
    ['least_conn', {}, 'requests in flight, random'],
    ['round_robin', {}, 'earlier requests'],
    ['weighted_round_robin', { weights: [1, 1, 0] }, 'earlier requests'],
    ['ip_hash', {}, 'client address'],
    ['client_ip_hash', {}, 'client address'],
    ['header', { field: 'X-A' }, 'random'],
    ['header', { field: 'X-Hidden' }, 'header x-hidden'],
    ['header', { field: 'X-Forwarded-For' }, 'client address'],
    ['query', { key: 'a' }, 'random'],
    ['query', { key: 'hidden' }, 'query'],
    ['cookie', {}, 'random'],
  ] as const)
    it(`explain follows each upstream that ${name} ${JSON.stringify(options)} may select, and reports the unknown input: ${fact}`, async () => {
      const dials = ['10.0.0.1:80', '10.0.0.2:80', ...(name === 'weighted_round_robin' ? ['10.0.0.3:80'] : [])];
      const selection = { load_balancing: { selection_policy: { policy: name, ...options } } };
      const { outcome, unknown, paths } = await explainRoutes([{ handle: [proxy(dials, selection)] }], {
        url: `http://a.example/${'key' in options && options.key === 'hidden' ? '?hidden=REDACTED' : ''}`,
        headers: { 'X-Hidden': 'REDACTED' },
      });
      expect(paths.map((path) => path.outcome.upstream?.address)).to.have.members(dials.slice(0, 2));
      expect(paths.map((path) => path.assumed[0]?.upstream)).to.have.members(dials.slice(0, 2));
      expect(outcome).to.include({ kind: 'outward', handler_id: 'http.handlers.reverse_proxy' });
      expect(outcome.upstream).to.include({ address: null, known: 'unknown' });
      expect(outcome.sends).to.include({ to: null, method: 'GET' });
      expect(unknown).to.deep.equal(fact.split(', '));
    });

  it('explain follows the declared response of each upstream that the policy may select', async () => {
    const { outcome, unknown, paths } = await explainRoutes(
      [{ handle: [proxy(['10.0.0.1:80', '10.0.0.2:80'], policy('cookie') as never)] }],
      {
        url: 'http://a.example/',
        client: '192.0.2.9',
        responses: [{ upstream: '10.0.0.1:80', status: 201 }, { status: 500 }],
      },
    );
    expect(outcome.kind).to.equal('unknown');
    expect(unknown).to.deep.equal(['random']);
    expect(paths.map((path) => [path.outcome.upstream?.address, path.outcome.status])).to.have.deep.members([
      ['10.0.0.1:80', 201],
      ['10.0.0.2:80', 500],
    ]);
    const cookies = paths.map((path) => JSON.stringify(path.outcome.headers['set-cookie']));
    expect(new Set(cookies).size).to.equal(1);
  });

  it('explain merges outcomes that do not depend on the upstream', async () => {
    const { outcome, paths } = await explainRoutes([{ handle: [proxy(['10.0.0.1:80', '10.0.0.2:80'])] }], {
      url: 'http://a.example/',
      client: '192.0.2.9',
      responses: [{ status: 404, body: 'none' }],
    });
    expect(paths).to.have.length(2);
    expect(outcome).to.include({ kind: 'response', status: 404, body: 'none' });
    expect(outcome.upstream?.known).to.equal('unknown');
  });

  it('explain omits the body for HEAD requests and for statuses without a body', async () => {
    const routes = [{ handle: [proxy(['10.0.0.1:80'])] }];
    const respond = async (method: string, status: number): Promise<unknown> => {
      const responses = [{ status, headers: { 'Content-Type': 'text/plain' }, body: 'a body' }];
      const asked = { url: 'http://a.example/', method, client: '192.0.2.9' };
      const { outcome } = await explainRoutes(routes, { ...asked, responses });
      return { body: outcome.body, size: outcome.size };
    };
    const none = { body: null, size: 0 };
    expect(await respond('HEAD', 200)).to.deep.equal(none);
    expect(await respond('GET', 204)).to.deep.equal(none);
    expect(await respond('GET', 304)).to.deep.equal(none);
  });

  it('explain continues with the declared response of an upstream', async () => {
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

  it('explain runs the error routes if an upstream is declared to fail', async () => {
    const { outcome } = await explainRoutes(
      [{ handle: [proxy(['10.0.0.1:80'])] }],
      { url: 'http://a.example/', responses: [{ error: 'timeout' }] },
      { errors: { routes: [{ handle: [{ handler: 'static_response', body: 'sorry' }] }] } },
    );
    expect(outcome).to.include({ kind: 'response', status: 504, body: 'sorry' });
    expect(outcome.error?.status).to.equal(504);
  });
});
