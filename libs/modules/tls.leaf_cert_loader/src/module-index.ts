/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import type { ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = [
  {
    namespace: 'tls.leaf_cert_loader',
    name: 'file',
    load: async () => (await import('./file/index.ts')).fileModule,
  },
  {
    namespace: 'tls.leaf_cert_loader',
    name: 'folder',
    load: async () => (await import('./folder/index.ts')).folderModule,
  },
  {
    namespace: 'tls.leaf_cert_loader',
    name: 'pem',
    load: async () => (await import('./pem/index.ts')).pemModule,
  },
  {
    namespace: 'tls.leaf_cert_loader',
    name: 'storage',
    load: async () => (await import('./storage/index.ts')).storageModule,
  },
];
