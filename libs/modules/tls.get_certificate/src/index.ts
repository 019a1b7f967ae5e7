/** Certificate managers, which are queried during TLS handshakes, in the namespace `tls.get_certificate`. */
import { contributeSyntaxes, syntaxesOf } from '@sluice/caddyfile/contribute';
import { references, type Registry } from '@sluice/registry';
import { modules } from './module-index.ts';

export function register(registry: Registry): void {
  registry.add(...modules);
  const syntaxes = syntaxesOf(
    ['http', 'selfsigned', 'tailscale'],
    async () => (await import('./caddyfile.ts')).syntaxes,
  );
  contributeSyntaxes(registry, 'tls.get_certificate', syntaxes);
  registry.contribute(references, { name: '@sluice/tls.get_certificate', load: () => import('./reference.ts') });
}
