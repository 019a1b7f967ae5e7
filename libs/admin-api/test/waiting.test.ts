import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { silentLogger, type Json } from '@sluice/base';
import { apps, defineModule, options } from '@sluice/registry';
import { AdminEndpoint } from '@sluice/admin-api';
import { ask, startServer, type TestResponse, type TestServer } from './admin.ts';

/** Settings that result from an empty `admin` section. */
const settings = {
  disabled: false,
  listen: '127.0.0.1:0',
  enforceOrigin: false,
  origins: null,
  anyHost: false,
  externalReads: 'unrestricted' as const,
  ui: true,
  access: { readsAuthorization: false, identify: () => ({ status: 403 as const, message: 'closed', challenge: null }) },
  secure: null,
};

describe('admin-api.endpoint during startup', () => {
  /**
   * Starts a server whose first configuration loads slowly after the admin endpoint is bound, as a configuration with thousands of routes
   * does.
   */
  async function slowly(wait: number, document: Json): Promise<{ early: Promise<TestResponse>; server: TestServer }> {
    let bound: (port: number) => void = () => {};
    const port = new Promise<number>((resolve) => (bound = resolve));
    const started = startServer({
      document,
      prepare: (registry) =>
        registry.addSection(
          defineModule(apps, {
            name: 'slow',
            help: 'Takes a while to start, after the section "admin".',
            config: options({}),
            provision(_, context) {
              context.onStart(async () => {
                bound(26_019);
                await sleep(wait);
              });
              return {};
            },
          }),
        ),
    });
    const early = ask({ port: await port }, '/config/apps');
    return { early, server: await started };
  }

  // Attack in docs/security.md: Requests during startup.
  it('admin API requests wait until the first configuration has been loaded', async () => {
    const document = { admin: { listen: '127.0.0.1:26019' }, apps: { any: { text: 'here' } } };
    const { early, server } = await slowly(150, document);
    const { status, json } = await early;
    expect([status, json]).to.deep.equal([200, { any: { text: 'here' } }]);
    await server.close();
  });

  it('admin API requests that wait for the first configuration are authenticated as usual', async () => {
    const document = {
      admin: { listen: '127.0.0.1:26019', tokens: [{ name: 'a', hash: `sha256:${'0'.repeat(64)}` }] },
    };
    const { early, server } = await slowly(50, document);
    expect((await early).status).to.equal(401);
    await server.close();
  });

  // Attack in docs/security.md: Requests during startup.
  it('admin API requests that wait too long are rejected with an error message and Retry-After', async () => {
    const endpoint = new AdminEndpoint({ defaultAddress: '127.0.0.1:0', log: silentLogger, timeout: 60 });
    endpoint.serve(async () => (_request, response) => response.end());
    const prepared = await endpoint.prepare(settings);
    const received = await ask({ port: prepared.binding?.port ?? 0 }, '/config/');
    expect([received.status, received.headers['retry-after']]).to.deep.equal([503, '2']);
    expect(received.json).to.have.property('error').that.contains('still starting');
    endpoint.discard(prepared);
    await endpoint.close();
  });

  it('admin API requests that are waiting at an address are rejected if the loaded configuration does not use this address', async () => {
    const endpoint = new AdminEndpoint({ defaultAddress: '127.0.0.1:0', log: silentLogger });
    const prepared = await endpoint.prepare(settings);
    const early = ask({ port: prepared.binding?.port ?? 0 }, '/config/');
    await new Promise((resolve) => setTimeout(resolve, 50));
    endpoint.discard(prepared);
    const response = await early;
    expect([response.status, response.headers['retry-after']]).to.deep.equal([503, '2']);
    expect(response.json).to.have.property('error').that.contains('was not loaded');
    await endpoint.close();
  });

  it('admin API requests wait for the configuration loader only for a limited time', async () => {
    const endpoint = new AdminEndpoint({ defaultAddress: '127.0.0.1:0', log: silentLogger, timeout: 60 });
    await endpoint.listen();
    const port = Number(endpoint.address?.split(':')[1]);
    expect((await ask({ port }, '/config/')).status).to.equal(503);
    const early = ask({ port }, '/config/');
    await new Promise((resolve) => setTimeout(resolve, 20));
    endpoint.serve(async () => (_request, response) => response.end('served'));
    expect((await early).text).to.equal('served');
    await endpoint.close();
  });
});

describe('admin-api.front', () => {
  it('a successful admin API change is logged with its full path', async () => {
    const server = await startServer({ document: { apps: { any: { list: [1] } } } });
    await server.ask('/config/apps/any/list?x=1', { method: 'POST', json: 2 });
    await server.ask('/id/none', { method: 'DELETE' });
    const uris = server.entries.filter(({ message }) => message === 'request').map(({ fields }) => fields.uri);
    expect(uris).to.deep.equal(['/config/apps/any/list?x=1', '/id/none']);
    await server.close();
  });
});
