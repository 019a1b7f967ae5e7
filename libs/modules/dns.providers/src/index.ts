/** DNS providers: namespace `dns.providers`. */
import { contributeSyntaxes, syntaxesOf } from '@sluice/caddyfile/contribute';
import { references, type Registry } from '@sluice/registry';
import { modules } from './module-index.ts';

export function register(registry: Registry): void {
  registry.add(...modules);
  const names = modules.map(({ name }) => name) as (keyof (typeof import('./caddyfile.ts'))['syntaxes'])[];
  const syntaxes = syntaxesOf(names, async () => (await import('./caddyfile.ts')).syntaxes);
  contributeSyntaxes(registry, 'dns.providers', syntaxes);
  registry.contribute(references, {
    name: '@sluice/dns.providers',
    load: async () => (await import('./reference.ts')).reference,
  });
}
