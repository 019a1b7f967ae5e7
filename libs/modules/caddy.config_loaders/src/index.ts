/** Where configurations can be pulled from: namespace `caddy.config_loaders`. */
import { references, type Registry } from '@sluice/registry';
import { modules } from './module-index.ts';

/** Adds the modules of this package. */
export function register(registry: Registry): void {
  registry.add(...modules);
  registry.contribute(references, { name: '@sluice/caddy.config_loaders', load: () => import('./reference.ts') });
}
