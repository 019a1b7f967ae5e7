/** Modules that provide IP ranges, for example of trusted proxies, in the namespace `http.ip_sources`. */
import { contributeSyntaxes, syntaxesOf } from '@sluice/caddyfile/contribute';
import { references, type Registry } from '@sluice/registry';
import { modules } from './module-index.ts';

export function register(registry: Registry): void {
  registry.add(...modules);
  const syntaxes = syntaxesOf(['static'], async () => (await import('./caddyfile.ts')).syntaxes);
  contributeSyntaxes(registry, 'http.ip_sources', syntaxes);
  registry.contribute(references, { name: '@sluice/http.ip_sources', load: () => import('./reference.ts') });
}
