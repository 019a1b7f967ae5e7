/** Log writers: namespace `caddy.logging.writers`. */
import { contributeSyntaxes, syntaxesOf } from '@sluice/caddyfile/contribute';
import { references, type Registry } from '@sluice/registry';
import { modules } from './module-index.ts';

export function register(registry: Registry): void {
  registry.add(...modules);
  const syntaxes = syntaxesOf(
    ['net', 'file', 'pino', 'discard', 'stderr', 'stdout'],
    async () => (await import('./caddyfile.ts')).syntaxes,
  );
  contributeSyntaxes(registry, 'caddy.logging.writers', syntaxes);
  registry.contribute(references, { name: '@sluice/caddy.logging.writers', load: () => import('./reference.ts') });
}
