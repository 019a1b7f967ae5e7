/** How listener wrappers are written in a Caddyfile again. */
import { moduleInverses, type ModuleInverse } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

const contributions: readonly ModuleInverse[] = [
  {
    name: 'caddy.listeners.proxy_protocol',
    load: async () => (await import('./proxy_protocol/inverse.ts')).writeProxyProtocol,
  },
];

/** Adds the inverses. */
export function registerInverses(registry: Registry): void {
  registry.contribute(moduleInverses, ...contributions);
}
