/** Kinds of precompressed files: namespace `http.precompressed`. */
import { references, type Registry } from '@sluice/registry';
import { brFilesModule } from './br/index.ts';
import { gzipFilesModule } from './gzip/index.ts';
import { zstdFilesModule } from './zstd/index.ts';

/** Adds the modules of this package. */
export function register(registry: Registry): void {
  registry.add(brFilesModule);
  registry.add(gzipFilesModule);
  registry.add(zstdFilesModule);
  registry.contribute(references, {
    name: '@sluice/http.precompressed',
    load: async () => (await import('./reference.ts')).reference,
  });
}
