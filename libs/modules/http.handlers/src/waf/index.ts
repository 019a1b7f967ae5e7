/** `http.handlers.waf`: web application firewall (WAF). */
import type { Registry } from '@sluice/registry';
import type { WafModule } from './module.ts';

export function registerWaf(registry: Registry): void {
  let made: WafModule | null = null;
  const load = async (): Promise<WafModule> => {
    const { makeWafModule } = await import('./module.ts');
    return (made ??= makeWafModule());
  };
  registry.add({ namespace: 'http.handlers', name: 'waf', load: async () => (await load()).descriptor });
  registry.hooks.adminRoutes.tap('http.handlers.waf', ({ lazy }) =>
    lazy(['GET /waf'], async () => {
      const { addWafRoutes } = await import('./admin-routes.ts');
      return (routes) => addWafRoutes(routes, () => made?.engines);
    }),
  );
}
