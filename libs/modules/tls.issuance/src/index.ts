/** Certificate issuers, in the namespace `tls.issuance`. */
import { contributeSyntaxes, syntaxesOf } from '@sluice/caddyfile/contribute';
import { references, type Registry } from '@sluice/registry';
import { modules } from './module-index.ts';

export { zeroSslTransportToken } from './zerossl/index.ts';

export function register(registry: Registry): void {
  registry.add(...modules);
  const syntaxes = syntaxesOf(['acme', 'internal', 'zerossl'], async () => (await import('./caddyfile.ts')).syntaxes);
  contributeSyntaxes(registry, 'tls.issuance', syntaxes);
  registry.contribute(references, { name: '@sluice/tls.issuance', load: () => import('./reference.ts') });
}
