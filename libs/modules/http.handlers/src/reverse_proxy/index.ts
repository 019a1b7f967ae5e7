/** `http.handlers.reverse_proxy`: forwards requests to upstreams. */
import { upstreamSamplers } from '@sluice/http-app';
import type { Registry } from '@sluice/registry';
import { addUpstreamRoutes } from './admin-routes.ts';
import type { ProxyModule } from './module.ts';

/**
 * Adds the module and its admin API routes, which use the same upstreams. Returns a function that loads the module, for other handlers with
 * upstreams.
 */
export function registerReverseProxy(registry: Registry): () => Promise<ProxyModule> {
  let made: ProxyModule | null = null;
  // One table per registry, because the proxies of a thread share upstream state.
  const load = async (): Promise<ProxyModule> => {
    const { makeProxyModule } = await import('./module.ts');
    return (made ??= makeProxyModule());
  };
  registry.add({ namespace: 'http.handlers', name: 'reverse_proxy', load: async () => (await load()).descriptor });
  registry.contribute(upstreamSamplers, {
    name: 'http.handlers.reverse_proxy',
    // A configuration without a proxy doesn't load the code.
    sample: async () => (made === null ? [] : (await import('./sample-upstreams.ts')).sampleUpstreams(made)),
  });
  registry.hooks.adminRoutes.tap('http.handlers.reverse_proxy', (routes) => addUpstreamRoutes(routes, load));
  return load;
}
