/** Issuers of certificates: `tls.issuance`. */
import type { Registry } from '@sluice/registry';
import { modules } from './module-index.ts';
import { registerSyntaxes } from './syntaxes.ts';

export { zeroSslTransportToken } from './zerossl/index.ts';

/** Adds all modules of the namespace. */
export function register(registry: Registry): void {
  registry.add(...modules);
  registerSyntaxes(registry);
}
