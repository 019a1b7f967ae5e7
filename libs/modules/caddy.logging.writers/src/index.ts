/** Log writers: namespace `caddy.logging.writers`. */
import { references, type Registry } from '@sluice/registry';
import { registerInverses } from './inverses.ts';
import { modules } from './module-index.ts';
import { registerSyntaxes } from './syntaxes.ts';

/** Adds the modules of this package. */
export function register(registry: Registry): void {
  registry.add(...modules);
  registerSyntaxes(registry);
  registerInverses(registry);
  registry.contribute(references, {
    name: '@sluice/caddy.logging.writers',
    load: async () => (await import('./reference.ts')).reference,
  });
}
