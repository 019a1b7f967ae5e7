/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import { listed, type ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = listed('tls.ca_pool.source', {
  combined: async () => (await import('./combined/index.ts')).combinedModule,
  file: async () => (await import('./file/index.ts')).fileModule,
  http: async () => (await import('./http/index.ts')).httpModule,
  inline: async () => (await import('./inline/index.ts')).inlineModule,
  pki_intermediate: async () => (await import('./pki_intermediate/index.ts')).pkiIntermediateModule,
  pki_root: async () => (await import('./pki_root/index.ts')).pkiRootModule,
  storage: async () => (await import('./storage/index.ts')).storageModule,
  system: async () => (await import('./system/index.ts')).systemModule,
});
