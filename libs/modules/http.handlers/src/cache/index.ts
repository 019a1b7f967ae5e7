/** The module `http.handlers.cache`, which stores responses and serves them to later requests. */
import { contributeOptions } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';
import type { CacheModule } from './module.ts';

export function registerCache(registry: Registry): void {
  let made: CacheModule | null = null;
  const load = async (): Promise<CacheModule> => {
    const { makeCacheModule } = await import('./module.ts');
    return (made ??= makeCacheModule());
  };
  registry.add({ namespace: 'http.handlers', name: 'cache', load: async () => (await load()).descriptor });
  registry.add({ namespace: '', name: 'cache', load: async () => (await import('./app.ts')).cacheAppModule });
  registry.hooks.adminRoutes.tap('http.handlers.cache', ({ lazy }) =>
    lazy(['GET /cache', 'GET /cache/objects', 'DELETE /cache/objects'], async () => {
      const { addCacheRoutes } = await import('./admin-routes.ts');
      return (routes) => addCacheRoutes(routes, () => made?.stores ?? []);
    }),
  );
  contributeOptions(
    registry,
    { cache: async () => (await import('./caddyfile.ts')).cacheOption },
    async () => (await import('./caddyfile.ts')).finishCache,
  );
}
