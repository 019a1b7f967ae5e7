/** Sources of session ticket keys, in the namespace `tls.stek`. */
import { references, type Registry } from '@sluice/registry';
import { modules } from './module-index.ts';

export function register(registry: Registry): void {
  registry.add(...modules);
  registry.contribute(references, { name: '@sluice/tls.stek', load: () => import('./reference.ts') });
}
