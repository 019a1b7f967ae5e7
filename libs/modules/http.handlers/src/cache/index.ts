/** `http.handlers.cache`: stores responses and serves them to later requests. */
import type { Registry } from '@sluice/registry';
import type { CacheModule } from './module.ts';

/** Adds the module and the app. */
export function registerCache(registry: Registry): void {
  let made: CacheModule | null = null;
  const load = async (): Promise<CacheModule> => {
    const { makeCacheModule } = await import('./module.ts');
    return (made ??= makeCacheModule());
  };
  registry.add({ namespace: 'http.handlers', name: 'cache', load: async () => (await load()).descriptor });
  registry.add({ namespace: '', name: 'cache', load: async () => (await import('./app.ts')).cacheAppModule });
}
