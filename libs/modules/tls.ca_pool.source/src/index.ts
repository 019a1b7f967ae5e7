/** Trusted certificate authorities: namespace `tls.ca_pool.source`. */
import type { Registry } from '@sluice/registry';
import { modules } from './module-index.ts';
import { registerSyntaxes } from './syntaxes.ts';

/** Adds the modules of this package. */
export function register(registry: Registry): void {
  registry.add(...modules);
  registerSyntaxes(registry);
}
