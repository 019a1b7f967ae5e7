/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import { listed, type ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = listed('tls.certificates', {
  automate: async () => (await import('./automate/index.ts')).automateModule,
  load_files: async () => (await import('./load_files/index.ts')).loadFilesModule,
  load_folders: async () => (await import('./load_folders/index.ts')).loadFoldersModule,
  load_pem: async () => (await import('./load_pem/index.ts')).loadPemModule,
  load_storage: async () => (await import('./load_storage/index.ts')).loadStorageModule,
});
