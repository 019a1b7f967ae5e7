/** Client certificate verifiers, in the namespace `tls.client_auth.verifier`. */
import { contributeSyntaxes, syntaxesOf } from '@sluice/caddyfile/contribute';
import { references, type Registry } from '@sluice/registry';
import { modules } from './module-index.ts';

export function register(registry: Registry): void {
  registry.add(...modules);
  const syntaxes = syntaxesOf(['leaf'], async () => (await import('./caddyfile.ts')).syntaxes);
  contributeSyntaxes(registry, 'tls.client_auth.verifier', syntaxes);
  registry.contribute(references, { name: '@sluice/tls.client_auth.verifier', load: () => import('./reference.ts') });
}
