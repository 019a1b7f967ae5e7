import { expect } from 'chai';
import type { Json } from '@sluice/base';
import { explainRoutes } from './support.ts';

describe('explain', () => {
  it('explain reports the route that responded to a request, and the expected and actual values of its matchers', async () => {
    const { outcome, paths } = await explainRoutes(
      [
        { match: [{ host: ['other.example'] }], handle: [{ handler: 'static_response', body: 'other' }] },
        { match: [{ host: ['a.example'], path: ['/x/*'] }], handle: [{ handler: 'static_response', body: 'yes' }] },
      ],
      'http://A.example/x/y',
    );
    expect(outcome).to.include({
      kind: 'response',
      status: 200,
      body: 'yes',
      route: 'apps.http.servers.s.routes[1]',
      handler_id: 'http.handlers.static_response',
    });
    const [first, second] = paths[0]?.steps ?? [];
    expect(first).to.include({ kind: 'route', path: 'apps.http.servers.s.routes[0]', verdict: false });
    expect(second?.steps[0]).to.deep.include({
      kind: 'matcher',
      path: 'apps.http.servers.s.routes[1].match[0].host',
      id: 'http.matchers.host',
      verdict: true,
      known: 'evaluated',
      wanted: ['a.example'],
      got: { host: 'A.example' },
    });
  });

  it('explain follows rewrites, groups, subroutes and error routes', async () => {
    const { outcome, paths } = await explainRoutes(
      [
        { handle: [{ handler: 'rewrite', strip_path_prefix: '/api' }] },
        { group: 'g', match: [{ path: ['/v1/*'] }], handle: [{ handler: 'vars', v: 'one' }] },
        { group: 'g', handle: [{ handler: 'vars', v: 'two' }] },
        {
          match: [{ vars: { '{http.vars.v}': ['one'] } }],
          handle: [{ handler: 'subroute', routes: [{ handle: [{ handler: 'error', status_code: 418 }] }] }],
        },
      ],
      'http://a.example/api/v1/z',
      { errors: { routes: [{ handle: [{ handler: 'static_response', body: 'teapot' }] }] } },
    );
    expect(outcome).to.include({ kind: 'response', status: 418, body: 'teapot' });
    expect(outcome.route).to.equal('apps.http.servers.s.errors.routes[0]');
    expect(outcome.error?.status).to.equal(418);
    expect(outcome.routes).to.include('apps.http.servers.s.routes[3].handle[0].routes[0]');
    const steps = paths[0]?.steps ?? [];
    expect(steps[0]?.steps[0]?.changed).to.deep.equal({ path: ['/api/v1/z', '/v1/z'] });
    expect(steps.find(({ kind }) => kind === 'group')).to.deep.include({ path: 'apps.http.servers.s.routes[2]' });
  });

  it('explain follows both branches if the client address is unknown', async () => {
    const routes = [
      { match: [{ remote_ip: { ranges: ['10.0.0.0/8'] } }], handle: [{ handler: 'static_response', body: 'in' }] },
      { handle: [{ handler: 'static_response', status_code: 403, body: 'out' }] },
    ];
    const { outcome, unknown, paths } = await explainRoutes(routes, 'http://a.example/');
    expect(outcome.kind).to.equal('unknown');
    expect(unknown).to.deep.equal(['client address']);
    expect(paths.map((path) => path.outcome.status)).to.have.members([403, 200]);
    const given = await explainRoutes(routes, { url: 'http://a.example/', client: '10.1.2.3' });
    expect(given.outcome.body).to.equal('in');
    expect(given.paths[0]?.steps[0]?.steps[0]).to.include({ verdict: true, known: 'given' });
  });

  it('explain treats values derived from unknown request properties as unknown', async () => {
    const { unknown, paths } = await explainRoutes(
      [
        { handle: [{ handler: 'vars', who: '{http.request.remote.host}' }] },
        {
          match: [{ vars: { '{http.vars.who}': ['10.0.0.1'] } }],
          handle: [{ handler: 'static_response', body: 'you' }],
        },
      ],
      'http://a.example/',
    );
    expect(unknown).to.deep.equal(['client address']);
    expect(paths).to.have.length(2);
  });

  it('explain reports the handler whose response is sent', async () => {
    const respond = { handler: 'static_response', body: 'kept' };
    const silent = { handler: 'subroute', routes: [{ terminal: true, handle: [] }] };
    const within = (handlers: Json): Json => [
      { handle: [{ handler: 'intercept', handle_response: [{ routes: [{ handle: handlers }] }] }, respond] },
    ];
    const by = async (handlers: Json): Promise<unknown> => {
      const { outcome } = await explainRoutes(within(handlers), 'http://a.example/');
      return [outcome.body, outcome.handler];
    };
    expect(await by([silent])).to.deep.equal(['kept', 'apps.http.servers.s.routes[0].handle[1]']);
    expect(await by([{ handler: 'vars', v: '1' }])).to.deep.equal(['kept', 'apps.http.servers.s.routes[0].handle[1]']);
    expect(await by([{ ...respond, body: 'other' }])).to.deep.equal([
      'other',
      'apps.http.servers.s.routes[0].handle[0].handle_response[0].routes[0].handle[0]',
    ]);
  });

  it('explain reports the handler that wrote a response, even if enclosing handlers buffered the response', async () => {
    const silent = { handle: [{ handler: 'vars', v: '1' }] };
    const hold = { handler: 'intercept', handle_response: [{ routes: [silent] }] };
    const handle = [hold, { handler: 'static_response', body: 'held' }];
    const { outcome } = await explainRoutes(
      [{ handle: [hold, { handler: 'subroute', routes: [{ handle }] }] }],
      'http://a.example/',
    );
    expect(outcome.handler).to.equal('apps.http.servers.s.routes[0].handle[1].routes[0].handle[1]');
  });

  it('explain shows matchers nested in other matchers', async () => {
    const { paths } = await explainRoutes(
      [{ match: [{ not: [{ path: ['/a'] }, { method: ['POST'] }] }], handle: [{ handler: 'static_response' }] }],
      'http://a.example/b',
    );
    const not = paths[0]?.steps[0]?.steps[0];
    expect(not).to.include({ id: 'http.matchers.not', verdict: true });
    expect(not?.steps.map(({ id, path, verdict }) => ({ id, path, verdict }))).to.deep.equal([
      { id: 'http.matchers.path', path: 'apps.http.servers.s.routes[0].match[0].not[0].path', verdict: false },
      { id: 'http.matchers.method', path: 'apps.http.servers.s.routes[0].match[0].not[1].method', verdict: false },
    ]);
  });
});
