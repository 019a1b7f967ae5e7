/** Issuers of certificates: `tls.issuance`. */
import { references, type Registry } from '@sluice/registry';
import { acmeModule } from './acme/index.ts';
import { internalModule } from './internal/index.ts';
import { zeroSslModule } from './zerossl/index.ts';
import { registerInverses } from './inverses.ts';
import { registerSyntaxes } from './syntaxes.ts';

export { zeroSslTransportToken } from './zerossl/index.ts';

/** Adds all modules of the namespace. */
export function register(registry: Registry): void {
  registry.add(acmeModule);
  registry.add(internalModule);
  registry.add(zeroSslModule);
  registerSyntaxes(registry);
  registerInverses(registry);
  registry.contribute(references, {
    name: '@sluice/tls.issuance',
    load: async () => (await import('./reference.ts')).reference,
  });
}
