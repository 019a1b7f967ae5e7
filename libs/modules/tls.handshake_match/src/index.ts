/** TLS handshake matchers, in the namespace `tls.handshake_match`. */
import { contributeSyntaxes, syntaxesOf } from '@sluice/caddyfile/contribute';
import { references, type Registry } from '@sluice/registry';
import { modules } from './module-index.ts';

export function register(registry: Registry): void {
  registry.add(...modules);
  const syntaxes = syntaxesOf(
    ['alpn', 'local_ip', 'remote_ip', 'sni', 'sni_regexp'],
    async () => (await import('./caddyfile.ts')).syntaxes,
  );
  contributeSyntaxes(registry, 'tls.handshake_match', syntaxes);
  registry.contribute(references, {
    name: '@sluice/tls.handshake_match',
    load: () => import('./reference.ts'),
  });
}
