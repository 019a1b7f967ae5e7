/** Certificates of clients that the verifier `leaf` lets in: namespace `tls.leaf_cert_loader`. */
import { references, type Registry } from '@sluice/registry';
import { fileModule } from './file/index.ts';
import { folderModule } from './folder/index.ts';
import { pemModule } from './pem/index.ts';
import { storageModule } from './storage/index.ts';
import { registerInverses } from './inverses.ts';
import { registerSyntaxes } from './syntaxes.ts';

/** Adds the modules of this package. */
export function register(registry: Registry): void {
  registry.add(fileModule);
  registry.add(folderModule);
  registry.add(pemModule);
  registry.add(storageModule);
  registerSyntaxes(registry);
  registerInverses(registry);
  registry.contribute(references, {
    name: '@sluice/tls.leaf_cert_loader',
    load: async () => (await import('./reference.ts')).reference,
  });
}
