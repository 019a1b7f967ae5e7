/** Configuration providers, in the namespace `sluice.providers`. */
import { references, type Registry } from '@sluice/registry';
import { modules } from './module-index.ts';

export function register(registry: Registry): void {
  registry.add(...modules);
  registry.contribute(references, { name: '@sluice/sluice.providers', load: () => import('./reference.ts') });
}
