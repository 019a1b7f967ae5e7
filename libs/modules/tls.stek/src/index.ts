/** Where the keys of session tickets come from: namespace `tls.stek`. */
import { references, type Registry } from '@sluice/registry';
import { distributedModule } from './distributed/index.ts';
import { standardModule } from './standard/index.ts';

/** Adds the modules of this package. */
export function register(registry: Registry): void {
  registry.add(distributedModule);
  registry.add(standardModule);
  registry.contribute(references, {
    name: '@sluice/tls.stek',
    load: async () => (await import('./reference.ts')).reference,
  });
}
