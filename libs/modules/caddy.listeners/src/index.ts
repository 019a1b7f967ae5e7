/** Listener wrappers: namespace `caddy.listeners`. */
import { contributeSyntaxes, syntaxesOf } from '@sluice/caddyfile/contribute';
import { references, type Registry } from '@sluice/registry';
import { modules } from './module-index.ts';

export function register(registry: Registry): void {
  registry.add(...modules);
  const syntaxes = syntaxesOf(
    ['layer4', 'proxy_protocol', 'http_redirect', 'tls'],
    async () => (await import('./caddyfile.ts')).syntaxes,
  );
  contributeSyntaxes(registry, 'caddy.listeners', syntaxes);
  registry.contribute(references, { name: '@sluice/caddy.listeners', load: () => import('./reference.ts') });
}
