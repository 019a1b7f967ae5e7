/** Permission modules for on-demand certificates, in the namespace `tls.permission`. */
import { contributeSyntaxes, syntaxesOf } from '@sluice/caddyfile/contribute';
import { references, type Registry } from '@sluice/registry';
import { modules } from './module-index.ts';

export function register(registry: Registry): void {
  registry.add(...modules);
  const syntaxes = syntaxesOf(['http'], async () => (await import('./caddyfile.ts')).syntaxes);
  contributeSyntaxes(registry, 'tls.permission', syntaxes);
  registry.contribute(references, { name: '@sluice/tls.permission', load: () => import('./reference.ts') });
}
