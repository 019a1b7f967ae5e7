/** Creates the `http.handlers.cache` module. In the control thread, it gives the admin API access to the stores. */
import { httpHandlers, type HttpHandler } from '@sluice/http-app';
import { defineModule, type Context } from '@sluice/registry';
import { metricsToken } from '@sluice/telemetry';
import { sharedMemoryToken } from '@sluice/threads';
import { cacheApp } from './app.ts';
import { Cache } from './cache.ts';
import { cacheBytes, CacheMetrics, cacheEvictions, cacheObjects } from './metrics.ts';
import { cacheOptions } from './options.ts';
import { defaultMemory, diskOf, settingsOf, type CacheConfig } from './settings.ts';
import type { CacheStore } from './cache-store.ts';
import { Stores } from './stores.ts';

export interface CacheModule {
  readonly descriptor: ReturnType<typeof makeDescriptor>;
  readonly stores: Stores;
}

export function makeCacheModule(): CacheModule {
  const stores = new Stores();
  return { descriptor: makeDescriptor(stores), stores };
}

function makeDescriptor(stores: Stores) {
  return defineModule(httpHandlers, {
    name: 'cache',
    effect: 'consumes',
    help: 'Caches responses (RFC 9111). The cache is shared by all threads and survives configuration changes. The `Cache-Status` response header field (RFC 9211) describes how a request was handled. Compatible with the Caddy plugin caddyserver/cache-handler.',
    config: cacheOptions,
    async provision(own, context): Promise<HttpHandler> {
      const app = await context.appIfConfigured(cacheApp);
      const config: CacheConfig = { ...app?.config, ...own };
      const settings = settingsOf(config, context);
      const disk = diskOf(config, context);
      const shared = context.use(sharedMemoryToken);
      const { store, flights, budget } = await stores.acquire(
        { memory: config.memory ?? defaultMemory, disk },
        shared,
        context,
      );
      if (context.roles.control) measure(store, context);
      const metrics = context.roles.traffic ? context.find(metricsToken) : undefined;
      return new Cache({
        settings,
        store,
        flights,
        budget,
        metrics: metrics === undefined ? null : new CacheMetrics(metrics),
      });
    },
  });
}

/** Exports the store sizes as metrics while the module is active. */
function measure({ memory, disk }: CacheStore, context: Context): void {
  const metrics = context.find(metricsToken);
  if (metrics === undefined) return;
  const objects = metrics.family(cacheObjects);
  const bytes = metrics.family(cacheBytes);
  const evictions = metrics.family(cacheEvictions);
  let stop: (() => void) | undefined;
  context.onCommit(() => {
    stop = metrics.onCollect(() => {
      const { usage } = memory;
      objects.with('memory').set(usage.objects);
      bytes.with('memory').set(usage.used);
      evictions.with().set(usage.evicted);
      if (disk === null) return;
      objects.with('disk').set(disk.index.entries);
      bytes.with('disk').set(disk.index.size);
    });
  });
  context.onRetire(() => stop?.());
}
