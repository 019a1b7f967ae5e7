import { expect } from 'chai';
import { defineModule, options, type Registry } from '@sluice/registry';
import { httpHandlers } from '@sluice/http-app';
import { serve, withRoutes } from '@sluice/testing';

const tea = defineModule(httpHandlers, {
  name: 'tea',
  help: 'Is ready.',
  config: options({}),
  provision: () => ({ handle: ({ response }) => response.end('tea') }),
});

function register(registry: Registry): void {
  registry.add(tea);
}

describe('testing library: serve', function () {
  // The timeout is long because a standard server loads all modules, which is slow from sources on a busy machine.
  this.timeout(60_000);
  const config = withRoutes([
    { match: [{ path: ['/tea'] }], handle: [{ handler: 'tea' }] },
    { handle: [{ handler: 'static_response', body: 'water' }] },
  ]);

  it('serve() includes all standard modules and the admin API on request', async () => {
    const server = await serve(config, { register: [register], standard: true });
    expect(await server.request('/tea')).to.include({ status: 200, text: 'tea' });
    expect(await server.request('/')).to.include({ status: 200, text: 'water' });
    const changed = await server.admin('/config/apps/http/servers/s/routes/1/handle/0/body', {
      method: 'PATCH',
      json: 'milk',
    });
    expect(changed).to.include({ status: 200 });
    expect(await server.request('/')).to.include({ text: 'milk' });
    await server.close();
  });

  it('serve() stops everything it started if the configuration is rejected', async () => {
    const error = await serve(withRoutes([{ handle: [{ handler: 'nope' }] }]), { register: [], standard: true }).catch(
      String,
    );
    expect(error).to.include('unknown module: http.handlers.nope');
  });

  it('serve() includes only the modules of the test and their admin routes by default', async () => {
    const error = await serve(config, { register: [register] }).catch(String);
    expect(error).to.include('http.matchers.path');
    const teaRoute = (registry: Registry): void => {
      registry.hooks.adminRoutes.tap('tea', ({ router, raw }) => {
        router.post('/tea', raw, (request, response) => response.json({ tea: String(request.body) }));
      });
    };
    const routes = withRoutes([{ handle: [{ handler: 'tea' }] }]);
    const server = await serve(routes, { register: [register, teaRoute] });
    expect((await server.admin('/tea', { method: 'POST', body: 'green' })).json()).to.deep.equal({ tea: 'green' });
    expect((await server.admin('/config/')).json()).to.deep.equal(routes);
    expect(await server.admin('/metrics')).to.include({ status: 404 });
    await server.close();
  });
});
