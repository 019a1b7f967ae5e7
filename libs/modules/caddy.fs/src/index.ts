/** The `caddy.filesystems` app: named file systems that use the modules in `caddy.fs`. */
import { references, type Registry } from '@sluice/registry';
import { modules } from './module-index.ts';

export function register(registry: Registry): void {
  registry.add(...modules);
  registry.contribute(references, { name: '@sluice/caddy.fs', load: () => import('./reference.ts') });
}
