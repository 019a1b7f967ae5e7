/** Response encoders: namespace `http.encoders`. */
import { contributeSyntaxes } from '@sluice/caddyfile/contribute';
import { references, type Registry } from '@sluice/registry';
import { modules } from './module-index.ts';

export function register(registry: Registry): void {
  registry.add(...modules);
  contributeSyntaxes(registry, 'http.encoders', {
    gzip: async () => (await import('./gzip/caddyfile.ts')).gzip,
    zstd: async () => (await import('./zstd/caddyfile.ts')).zstd,
    br: async () => (await import('./br/caddyfile.ts')).br,
  });
  registry.contribute(references, { name: '@sluice/http.encoders', load: () => import('./reference.ts') });
}
