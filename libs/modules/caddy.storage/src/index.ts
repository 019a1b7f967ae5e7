/** Stores for certificates, keys and other data: the modules of `caddy.storage`. */
import { references, type Registry } from '@sluice/registry';
import { writableCheck } from './file_system/check.ts';
import { registerInverses } from './inverses.ts';
import { modules } from './module-index.ts';
import { registerSyntaxes } from './syntaxes.ts';

export { FileStorage } from './file_system/file-storage.ts';
export { acquireLock } from './file_system/lock.ts';

/** Adds the modules of this package. */
export function register(registry: Registry): void {
  registry.add(...modules);
  registry.addCheck(writableCheck);
  registerSyntaxes(registry);
  registerInverses(registry);
  registry.contribute(references, {
    name: '@sluice/caddy.storage',
    load: async () => (await import('./reference.ts')).reference,
  });
}
