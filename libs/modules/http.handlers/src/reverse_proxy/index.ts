/** `http.handlers.reverse_proxy`: passes requests on to upstreams. */
import { upstreamSamplers } from '@sluice/http-app';
import type { Registry } from '@sluice/registry';
import { addUpstreamRoutes } from './admin-routes.ts';
import type { ProxyModule } from './module.ts';

/** Adds the module, and its routes of the admin API, which know the same upstreams. */
export function registerReverseProxy(registry: Registry): void {
  let made: ProxyModule | null = null;
  // One for each registry: proxies of one thread share what they know of their upstreams.
  const load = async (): Promise<ProxyModule> => {
    const { makeProxyModule } = await import('./module.ts');
    return (made ??= makeProxyModule());
  };
  registry.add({ namespace: 'http.handlers', name: 'reverse_proxy', load: async () => (await load()).descriptor });
  registry.contribute(upstreamSamplers, {
    name: 'http.handlers.reverse_proxy',
    // Without a proxy in the configuration there is nothing to load.
    sample: async () => (made === null ? [] : (await import('./sample-upstreams.ts')).sampleUpstreams(made)),
  });
  registry.hooks.adminRoutes.tap('http.handlers.reverse_proxy', (routes) => addUpstreamRoutes(routes, load));
}
