/** Log encoders: namespace `caddy.logging.encoders`. */
import { contributeSyntaxes, syntaxesOf } from '@sluice/caddyfile/contribute';
import { references, type Registry } from '@sluice/registry';
import { commonLogCheck } from './transform/checks.ts';
import { modules } from './module-index.ts';

export function register(registry: Registry): void {
  registry.add(...modules);
  registry.addCheck(commonLogCheck);
  const syntaxes = syntaxesOf(
    ['console', 'json', 'logfmt', 'filter', 'append', 'journald', 'single_field', 'transform', 'formatted'],
    async () => (await import('./caddyfile.ts')).syntaxes,
  );
  contributeSyntaxes(registry, 'caddy.logging.encoders', syntaxes);
  registry.contribute(references, { name: '@sluice/caddy.logging.encoders', load: () => import('./reference.ts') });
}
