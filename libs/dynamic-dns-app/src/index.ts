/** The `dynamic_dns` app. */
import { contributeOptions } from '@sluice/caddyfile/contribute';
import { appToken, references, type Registry } from '@sluice/registry';
import type { DynamicDnsApp } from './app.ts';

const app = appToken<DynamicDnsApp>('dynamic_dns');

/** Registers the app and its global option. */
export function register(registry: Registry): void {
  registry.add({
    namespace: '',
    name: 'dynamic_dns',
    load: async () => (await import('./app.ts')).dynamicDnsAppModule,
  });
  registry.hooks.server.tap('dynamic_dns', (server) => {
    server.hooks.committed.tap('dynamic_dns', () => server.app(app)?.useDocument(server.effective));
  });
  contributeOptions(
    registry,
    { dynamic_dns: async () => (await import('./caddyfile.ts')).dynamicDns },
    async () => (await import('./caddyfile.ts')).finishDynamicDns,
  );
  registry.contribute(references, {
    name: '@sluice/dynamic-dns-app',
    load: async () => (await import('./reference.ts')).reference,
  });
}
