import { expect } from 'chai';
import { httpApp, type Server } from '@sluice/http-app';
import { withRoutes } from '@sluice/testing';
import { explained, type Explained } from './support.ts';

describe('explain probes on a running server', () => {
  let config: Explained;
  let running: Server;

  before(async () => {
    config = await explained(
      withRoutes([
        {
          handle: [
            { handler: 'subroute', routes: [{ match: [{ path: ['/a'] }], handle: [{ handler: 'vars', v: '1' }] }] },
            { handler: 'static_response', body: 'v{http.vars.v}' },
          ],
        },
      ]),
    );
    running = config.server.runtime.app(httpApp)?.servers.get('s') as Server;
  });

  after(() => config.close());

  it('an explain probe observes handlers and matchers at their positions, without provisioning modules or leaving traces', async () => {
    const seen: string[] = [];
    const { routes } = running;
    running.watch({
      rehearsal: null,
      handler: (inner, { path }) => ({
        handle: (exchange, next) => {
          seen.push(path.slice(4).join('/'));
          return inner.handle(exchange, next);
        },
      }),
      matcher: (inner, { path }) => ({
        match: (exchange) => {
          seen.push(path.slice(4).join('/'));
          return inner.match(exchange);
        },
      }),
    });
    expect((await config.server.request('/a')).text).to.equal('v1');
    expect(seen).to.deep.equal([
      'routes/0/handle/0',
      'routes/0/handle/0/routes/0/match/0/0',
      'routes/0/handle/0/routes/0/handle/0',
      'routes/0/handle/1',
    ]);
    running.watch(null);
    expect((await config.server.request('/b')).text).to.equal('v');
    expect(seen).to.have.length(4);
    expect(running.routes).to.equal(routes);
  });
});
