/** Sources for the server's public IP addresses: namespace `dynamic_dns.ip_sources`. */
import { contributeSyntaxes, syntaxesOf } from '@sluice/caddyfile/contribute';
import { references, type Registry } from '@sluice/registry';
import { modules } from './module-index.ts';

export function register(registry: Registry): void {
  registry.add(...modules);
  const syntaxes = syntaxesOf(
    ['interface', 'simple_http', 'static', 'upnp'],
    async () => (await import('./caddyfile.ts')).syntaxes,
  );
  contributeSyntaxes(registry, 'dynamic_dns.ip_sources', syntaxes);
  registry.contribute(references, { name: '@sluice/dynamic_dns.ip_sources', load: () => import('./reference.ts') });
}
