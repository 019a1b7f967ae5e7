/** DNS providers: namespace `dns.providers`. */
import { contributeSyntaxes, syntaxesOf } from '@sluice/caddyfile/contribute';
import { references, type Registry } from '@sluice/registry';
import { modules } from './module-index.ts';

export function register(registry: Registry): void {
  registry.add(...modules);
  const syntaxes = syntaxesOf(
    [
      'acmedns',
      'cloudflare',
      'desec',
      'digitalocean',
      'duckdns',
      'exec',
      'gandi',
      'hetzner',
      'ovh',
      'rfc2136',
      'route53',
    ],
    async () => (await import('./caddyfile.ts')).syntaxes,
  );
  contributeSyntaxes(registry, 'dns.providers', syntaxes);
  registry.contribute(references, { name: '@sluice/dns.providers', load: () => import('./reference.ts') });
}
