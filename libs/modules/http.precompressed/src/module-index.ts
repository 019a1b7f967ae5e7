/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import { listed, type ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = listed('http.precompressed', {
  br: async () => (await import('./br/index.ts')).brFilesModule,
  gzip: async () => (await import('./gzip/index.ts')).gzipFilesModule,
  zstd: async () => (await import('./zstd/index.ts')).zstdFilesModule,
});
