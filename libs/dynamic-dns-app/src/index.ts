/** The `dynamic_dns` app. */
import { contributeOptions } from '@sluice/caddyfile/contribute';
import { SluiceError } from '@sluice/base';
import { references, type Registry } from '@sluice/registry';
import { dynamicDnsApp } from './contract.ts';

export function register(registry: Registry): void {
  registry.add({
    namespace: '',
    name: 'dynamic_dns',
    load: async () => (await import('./app.ts')).dynamicDnsAppModule,
  });
  registry.hooks.server.tap('dynamic_dns', (server) => {
    server.hooks.committed.tap('dynamic_dns', () => server.app(dynamicDnsApp)?.useDocument(server.effective));
  });
  registry.hooks.adminRoutes.tap('dynamic_dns', ({ router, server, describe }) => {
    describe(async () => (await import('./admin-operations.ts')).operations);
    router.get('/dynamic_dns', (_request, response) => {
      const state = server.app(dynamicDnsApp)?.state ?? null;
      if (state === null) throw new SluiceError('ERR_ADMIN_PATH', 'dynamic_dns is not configured', { status: 404 });
      response.json(state);
    });
  });
  contributeOptions(
    registry,
    { dynamic_dns: async () => (await import('./caddyfile.ts')).dynamicDns },
    async () => (await import('./caddyfile.ts')).finishDynamicDns,
  );
  registry.contribute(references, { name: '@sluice/dynamic-dns-app', load: () => import('./reference.ts') });
}
