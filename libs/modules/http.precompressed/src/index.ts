/** Formats of precompressed files, in the namespace `http.precompressed`. */
import { references, type Registry } from '@sluice/registry';
import { modules } from './module-index.ts';

export function register(registry: Registry): void {
  registry.add(...modules);
  registry.contribute(references, { name: '@sluice/http.precompressed', load: () => import('./reference.ts') });
}
