/** Sources of trusted CA certificates, in the namespace `tls.ca_pool.source`. */
import { contributeSyntaxes, syntaxesOf } from '@sluice/caddyfile/contribute';
import { references, type Registry } from '@sluice/registry';
import { modules } from './module-index.ts';

export function register(registry: Registry): void {
  registry.add(...modules);
  const syntaxes = syntaxesOf(
    ['inline', 'file', 'pki_root', 'pki_intermediate', 'storage', 'http', 'combined', 'system'],
    async () => (await import('./caddyfile.ts')).syntaxes,
  );
  contributeSyntaxes(registry, 'tls.ca_pool.source', syntaxes);
  registry.contribute(references, { name: '@sluice/tls.ca_pool.source', load: () => import('./reference.ts') });
}
