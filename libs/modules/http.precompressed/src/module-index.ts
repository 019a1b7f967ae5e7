/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import type { ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = [
  {
    namespace: 'http.precompressed',
    name: 'br',
    load: async () => (await import('./br/index.ts')).brFilesModule,
  },
  {
    namespace: 'http.precompressed',
    name: 'gzip',
    load: async () => (await import('./gzip/index.ts')).gzipFilesModule,
  },
  {
    namespace: 'http.precompressed',
    name: 'zstd',
    load: async () => (await import('./zstd/index.ts')).zstdFilesModule,
  },
];
