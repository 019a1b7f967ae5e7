/** Event handlers: namespace `events.handlers`. */
import { contributeSyntaxes, syntaxesOf } from '@sluice/caddyfile/contribute';
import { references, type Registry } from '@sluice/registry';
import { modules } from './module-index.ts';

export function register(registry: Registry): void {
  registry.add(...modules);
  const syntaxes = syntaxesOf(['exec'], async () => (await import('./caddyfile.ts')).syntaxes);
  contributeSyntaxes(registry, 'events.handlers', syntaxes);
  registry.contribute(references, { name: '@sluice/events.handlers', load: () => import('./reference.ts') });
}
