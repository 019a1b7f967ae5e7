/** Log field filters: namespace `caddy.logging.encoders.filter`. */
import { contributeSyntaxes, syntaxesOf } from '@sluice/caddyfile/contribute';
import { references, type Registry } from '@sluice/registry';
import { modules } from './module-index.ts';

export function register(registry: Registry): void {
  registry.add(...modules);
  const syntaxes = syntaxesOf(
    ['cookie', 'ip_mask', 'multi_regexp', 'query', 'regexp', 'rename', 'replace', 'set_cookie', 'delete', 'hash'],
    async () => (await import('./caddyfile.ts')).syntaxes,
  );
  contributeSyntaxes(registry, 'caddy.logging.encoders.filter', syntaxes);
  registry.contribute(references, {
    name: '@sluice/caddy.logging.encoders.filter',
    load: () => import('./reference.ts'),
  });
}
