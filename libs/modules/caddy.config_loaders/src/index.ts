/** Configuration loaders: namespace `caddy.config_loaders`. */
import { references, type Registry } from '@sluice/registry';
import { modules } from './module-index.ts';

export function register(registry: Registry): void {
  registry.add(...modules);
  registry.contribute(references, { name: '@sluice/caddy.config_loaders', load: () => import('./reference.ts') });
}
