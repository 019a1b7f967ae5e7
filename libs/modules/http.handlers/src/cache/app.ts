/** The `cache` app, which sets defaults for all `http.handlers.cache` handlers. */
import { apps, appToken, defineModule, type AppToken, type Options } from '@sluice/registry';
import { cacheAppOptions } from './options.ts';

export interface CacheApp {
  readonly config: Options<typeof cacheAppOptions>;
}

export const cacheApp: AppToken<CacheApp> = appToken<CacheApp>('cache');

export const cacheAppModule = defineModule(apps, {
  name: 'cache',
  help: 'Default settings for all `cache` handlers. Each handler can override them.',
  config: cacheAppOptions,
  provision: (config): CacheApp => ({ config }),
});
