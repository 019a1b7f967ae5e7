/** The `providers` app, which derives configuration from containers and clusters. */
import { references, type Registry } from '@sluice/registry';

export { mergeFragments } from './merge.ts';
export { providedConfig, ProvidedConfig } from './provided-config.ts';

/** Registers the `providers` app, `GET /providers` and `GET /ready`. */
export function register(registry: Registry): void {
  registry.add({ namespace: '', name: 'providers', load: async () => (await import('./app.ts')).providersAppModule });
  registry.hooks.adminRoutes.tap('providers', ({ lazy }) =>
    lazy(
      ['GET /ready', 'GET /providers', 'GET /providers/:name'],
      async () => (await import('./admin-routes.ts')).addProviderRoutes,
    ),
  );
  registry.contribute(references, { name: '@sluice/providers-app', load: () => import('./reference.ts') });
}
