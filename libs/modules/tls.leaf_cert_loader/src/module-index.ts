/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import { listed, type ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = listed('tls.leaf_cert_loader', {
  file: async () => (await import('./file/index.ts')).fileModule,
  folder: async () => (await import('./folder/index.ts')).folderModule,
  pem: async () => (await import('./pem/index.ts')).pemModule,
  storage: async () => (await import('./storage/index.ts')).storageModule,
});
