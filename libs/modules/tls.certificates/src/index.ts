/** Certificate loaders, in the namespace `tls.certificates`. */
import { references, type Registry } from '@sluice/registry';
import { modules } from './module-index.ts';

export function register(registry: Registry): void {
  registry.add(...modules);
  registry.contribute(references, { name: '@sluice/tls.certificates', load: () => import('./reference.ts') });
}
