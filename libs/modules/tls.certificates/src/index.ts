/** Loaders of certificates: `tls.certificates`. */
import { references, type Registry } from '@sluice/registry';
import { modules } from './module-index.ts';

/** Adds all modules of the namespace. */
export function register(registry: Registry): void {
  registry.add(...modules);
  registry.contribute(references, {
    name: '@sluice/tls.certificates',
    load: async () => (await import('./reference.ts')).reference,
  });
}
