/** The app `caddy.filesystems`: file systems under names, of modules of `caddy.fs`. */
import { references, type Registry } from '@sluice/registry';
import { modules } from './module-index.ts';

/** Adds the modules of this package. */
export function register(registry: Registry): void {
  registry.add(...modules);
  registry.contribute(references, {
    name: '@sluice/caddy.fs',
    load: async () => (await import('./reference.ts')).reference,
  });
}
