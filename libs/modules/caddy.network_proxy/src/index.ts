/** Network proxies for outgoing connections: namespace `caddy.network_proxy`. */
import { contributeSyntaxes, syntaxesOf } from '@sluice/caddyfile/contribute';
import { references, type Registry } from '@sluice/registry';
import { modules } from './module-index.ts';

export function register(registry: Registry): void {
  registry.add(...modules);
  const syntaxes = syntaxesOf(['url', 'none'], async () => (await import('./caddyfile.ts')).syntaxes);
  contributeSyntaxes(registry, 'caddy.network_proxy', syntaxes);
  registry.contribute(references, { name: '@sluice/caddy.network_proxy', load: () => import('./reference.ts') });
}
