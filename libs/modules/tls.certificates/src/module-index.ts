/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import type { ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = [
  {
    namespace: 'tls.certificates',
    name: 'automate',
    load: async () => (await import('./automate/index.ts')).automateModule,
  },
  {
    namespace: 'tls.certificates',
    name: 'load_files',
    load: async () => (await import('./load_files/index.ts')).loadFilesModule,
  },
  {
    namespace: 'tls.certificates',
    name: 'load_folders',
    load: async () => (await import('./load_folders/index.ts')).loadFoldersModule,
  },
  {
    namespace: 'tls.certificates',
    name: 'load_pem',
    load: async () => (await import('./load_pem/index.ts')).loadPemModule,
  },
  {
    namespace: 'tls.certificates',
    name: 'load_storage',
    load: async () => (await import('./load_storage/index.ts')).loadStorageModule,
  },
];
