/** Issuers of certificates: `tls.issuance`. */
import { references, type Registry } from '@sluice/registry';
import { registerInverses } from './inverses.ts';
import { modules } from './module-index.ts';
import { registerSyntaxes } from './syntaxes.ts';

export { zeroSslTransportToken } from './zerossl/index.ts';

/** Adds all modules of the namespace. */
export function register(registry: Registry): void {
  registry.add(...modules);
  registerSyntaxes(registry);
  registerInverses(registry);
  registry.contribute(references, {
    name: '@sluice/tls.issuance',
    load: async () => (await import('./reference.ts')).reference,
  });
}
