import { expect } from 'chai';
import { httpHandlers } from '@sluice/http-app';
import { defineModule, options, type Registry } from '@sluice/registry';
import { serve } from '@sluice/testing';
import { stopTraffic } from '../../src/stop-traffic.ts';

const hangs = defineModule(httpHandlers, {
  name: 'hangs',
  help: 'Never has done.',
  config: options({}),
  provision: (_config, context) => {
    context.onDispose(() => undefined);
    return { handle: () => new Promise<void>(() => undefined) };
  },
});

describe('stopTraffic', () => {
  it('stopTraffic does not wait for a handler that continues after the grace period', async () => {
    const config = {
      apps: { http: { grace_period: '50ms', servers: { s: { routes: [{ handle: [{ handler: 'hangs' }] }] } } } },
    };
    const server = await serve(config, { register: [(registry: Registry) => registry.add(hangs)] });
    void server.request('/');
    const began = performance.now();
    await stopTraffic(server.runtime);
    expect(performance.now() - began).to.be.within(50, 5000);
    await server.close();
  });
});
