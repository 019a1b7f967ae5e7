/** Trusted certificate authorities: namespace `tls.ca_pool.source`. */
import { references, type Registry } from '@sluice/registry';
import { combinedModule } from './combined/index.ts';
import { fileModule } from './file/index.ts';
import { httpModule } from './http/index.ts';
import { inlineModule } from './inline/index.ts';
import { pkiIntermediateModule } from './pki_intermediate/index.ts';
import { pkiRootModule } from './pki_root/index.ts';
import { storageModule } from './storage/index.ts';
import { systemModule } from './system/index.ts';
import { registerInverses } from './inverses.ts';
import { registerSyntaxes } from './syntaxes.ts';

/** Adds the modules of this package. */
export function register(registry: Registry): void {
  registry.add(combinedModule);
  registry.add(fileModule);
  registry.add(httpModule);
  registry.add(inlineModule);
  registry.add(pkiIntermediateModule);
  registry.add(pkiRootModule);
  registry.add(storageModule);
  registry.add(systemModule);
  registerSyntaxes(registry);
  registerInverses(registry);
  registry.contribute(references, {
    name: '@sluice/tls.ca_pool.source',
    load: async () => (await import('./reference.ts')).reference,
  });
}
