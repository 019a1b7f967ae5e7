/** Storage for certificates, keys and other data: the modules in `caddy.storage`. */
import { contributeSyntaxes, syntaxesOf } from '@sluice/caddyfile/contribute';
import { references, type Registry } from '@sluice/registry';
import { writableCheck } from './file_system/check.ts';
import { modules } from './module-index.ts';

export { FileStorage } from './file_system/file-storage.ts';
export { acquireLock } from './file_system/lock.ts';

export function register(registry: Registry): void {
  registry.add(...modules);
  registry.addCheck(writableCheck);
  const syntaxes = syntaxesOf(
    ['file_system', 'etcd', 'postgres', 'redis', 's3'],
    async () => (await import('./caddyfile.ts')).syntaxes,
  );
  contributeSyntaxes(registry, 'caddy.storage', syntaxes);
  registry.contribute(references, { name: '@sluice/caddy.storage', load: () => import('./reference.ts') });
}
