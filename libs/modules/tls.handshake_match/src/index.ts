/** TLS handshake matchers: namespace `tls.handshake_match`. */
import { references, type Registry } from '@sluice/registry';
import { modules } from './module-index.ts';

export function register(registry: Registry): void {
  registry.add(...modules);
  registry.contribute(references, { name: '@sluice/tls.handshake_match', load: () => import('./reference.ts') });
}
