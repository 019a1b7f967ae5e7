/** Configuration adapters. */
import { contributeCore } from '@sluice/caddyfile/contribute';
import { references, type Registry } from '@sluice/registry';
import { modules } from './module-index.ts';

export function register(registry: Registry): void {
  registry.add(...modules);
  contributeCore(registry);
  registry.contribute(references, { name: '@sluice/caddy.adapters', load: () => import('./reference.ts') });
}
