/** `http.handlers.waf`: web application firewall (WAF). */
import type { Registry } from '@sluice/registry';
import { addWafRoutes } from './admin-routes.ts';
import type { WafModule } from './module.ts';

export function registerWaf(registry: Registry): void {
  let made: WafModule | null = null;
  const load = async (): Promise<WafModule> => {
    const { makeWafModule } = await import('./module.ts');
    return (made ??= makeWafModule());
  };
  registry.add({ namespace: 'http.handlers', name: 'waf', load: async () => (await load()).descriptor });
  registry.hooks.adminRoutes.tap('http.handlers.waf', (routes) => addWafRoutes(routes, () => made?.engines));
}
