/** Loaders of the client certificates that the `leaf` verifier accepts, in the namespace `tls.leaf_cert_loader`. */
import { contributeSyntaxes, syntaxesOf } from '@sluice/caddyfile/contribute';
import { references, type Registry } from '@sluice/registry';
import { modules } from './module-index.ts';

export function register(registry: Registry): void {
  registry.add(...modules);
  const syntaxes = syntaxesOf(['file', 'folder', 'pem'], async () => (await import('./caddyfile.ts')).syntaxes);
  contributeSyntaxes(registry, 'tls.leaf_cert_loader', syntaxes);
  registry.contribute(references, { name: '@sluice/tls.leaf_cert_loader', load: () => import('./reference.ts') });
}
