/** Password hash formats: namespace `http.authentication.hashes`. */
import { references, type Registry } from '@sluice/registry';
import { modules } from './module-index.ts';

export function register(registry: Registry): void {
  registry.add(...modules);
  registry.contribute(references, { name: '@sluice/http.authentication.hashes', load: () => import('./reference.ts') });
}
