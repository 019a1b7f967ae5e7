/** How the writers of this package are written in a Caddyfile again. */
import { moduleInverses, type ModuleInverse } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

const contributions: readonly ModuleInverse[] = [
  { name: 'caddy.logging.writers.file', load: async () => (await import('./file/inverse.ts')).writeFile },
  { name: 'caddy.logging.writers.net', load: async () => (await import('./net/inverse.ts')).writeNet },
];

/** Adds the inverses. */
export function registerInverses(registry: Registry): void {
  registry.contribute(moduleInverses, ...contributions);
}
