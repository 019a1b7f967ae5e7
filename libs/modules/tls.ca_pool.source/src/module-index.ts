/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import type { ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = [
  {
    namespace: 'tls.ca_pool.source',
    name: 'combined',
    load: async () => (await import('./combined/index.ts')).combinedModule,
  },
  {
    namespace: 'tls.ca_pool.source',
    name: 'file',
    load: async () => (await import('./file/index.ts')).fileModule,
  },
  {
    namespace: 'tls.ca_pool.source',
    name: 'http',
    load: async () => (await import('./http/index.ts')).httpModule,
  },
  {
    namespace: 'tls.ca_pool.source',
    name: 'inline',
    load: async () => (await import('./inline/index.ts')).inlineModule,
  },
  {
    namespace: 'tls.ca_pool.source',
    name: 'pki_intermediate',
    load: async () => (await import('./pki_intermediate/index.ts')).pkiIntermediateModule,
  },
  {
    namespace: 'tls.ca_pool.source',
    name: 'pki_root',
    load: async () => (await import('./pki_root/index.ts')).pkiRootModule,
  },
  {
    namespace: 'tls.ca_pool.source',
    name: 'storage',
    load: async () => (await import('./storage/index.ts')).storageModule,
  },
  {
    namespace: 'tls.ca_pool.source',
    name: 'system',
    load: async () => (await import('./system/index.ts')).systemModule,
  },
];
