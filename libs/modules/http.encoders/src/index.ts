/** Encoders of responses: namespace `http.encoders`. */
import { references, type Registry } from '@sluice/registry';
import { brModule } from './br/index.ts';
import { gzipModule } from './gzip/index.ts';
import { zstdModule } from './zstd/index.ts';
import { registerInverses } from './inverses.ts';
import { registerSyntaxes } from './syntaxes.ts';

/** Adds the modules of this package. */
export function register(registry: Registry): void {
  registry.add(brModule);
  registry.add(gzipModule);
  registry.add(zstdModule);
  registerSyntaxes(registry);
  registerInverses(registry);
  registry.contribute(references, {
    name: '@sluice/http.encoders',
    load: async () => (await import('./reference.ts')).reference,
  });
}
