/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import type { ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = [
  {
    namespace: 'http.encoders',
    name: 'br',
    load: async () => (await import('./br/index.ts')).brModule,
  },
  {
    namespace: 'http.encoders',
    name: 'gzip',
    load: async () => (await import('./gzip/index.ts')).gzipModule,
  },
  {
    namespace: 'http.encoders',
    name: 'zstd',
    load: async () => (await import('./zstd/index.ts')).zstdModule,
  },
];
