/** The module `http.handlers.rate_limit`, which limits the number of requests per key. */
import type { Registry } from '@sluice/registry';
import type { RateLimitModule } from './module.ts';

/** Registers the module and its admin API routes. Both use the same zones. */
export function registerRateLimit(registry: Registry): void {
  let made: RateLimitModule | null = null;
  const load = async (): Promise<RateLimitModule> => {
    const { makeRateLimitModule } = await import('./module.ts');
    return (made ??= makeRateLimitModule());
  };
  registry.add({ namespace: 'http.handlers', name: 'rate_limit', load: async () => (await load()).descriptor });
  registry.hooks.adminRoutes.tap('http.handlers.rate_limit', ({ lazy }) =>
    lazy(
      [
        'GET /rate_limits',
        'GET /rate_limits/:zone',
        'DELETE /rate_limits/:zone/keys/:key',
        'PUT /rate_limits/:zone/keys/:key',
      ],
      async () => {
        const { addRateLimitRoutes } = await import('./admin-routes.ts');
        return (routes) => addRateLimitRoutes(routes, () => made?.zones);
      },
    ),
  );
}
