/** The module `http.handlers.reverse_proxy`, which forwards requests to upstreams. */
import { upstreamSamplers } from '@sluice/http-app';
import type { Registry } from '@sluice/registry';
import type { ProxyModule } from './module.ts';

/**
 * Registers the module and its admin API routes. Both use the same upstreams. Returns a function that loads the module, for other handlers
 * that use upstreams.
 */
export function registerReverseProxy(registry: Registry): () => Promise<ProxyModule> {
  let made: ProxyModule | null = null;
  // There is one upstream table per registry, because the proxies of a thread share the state of upstreams.
  const load = async (): Promise<ProxyModule> => {
    const { makeProxyModule } = await import('./module.ts');
    return (made ??= makeProxyModule());
  };
  registry.add({ namespace: 'http.handlers', name: 'reverse_proxy', load: async () => (await load()).descriptor });
  registry.contribute(upstreamSamplers, {
    name: 'http.handlers.reverse_proxy',
    // If no proxy is configured, the proxy code is not loaded.
    sample: async () => (made === null ? [] : (await import('./sample-upstreams.ts')).sampleUpstreams(made)),
  });
  registry.hooks.adminRoutes.tap('http.handlers.reverse_proxy', ({ lazy }) =>
    lazy(
      [
        'GET /reverse_proxy/upstreams',
        'GET /reverse_proxy/upstreams/summary',
        'POST /reverse_proxy/upstreams/:address/drain',
        'DELETE /reverse_proxy/upstreams/:address/drain',
      ],
      async () => {
        const { addUpstreamRoutes } = await import('./admin-routes.ts');
        return (routes) => addUpstreamRoutes(routes, load);
      },
    ),
  );
  return load;
}
