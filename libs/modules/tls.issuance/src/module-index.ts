/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import { listed, type ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = listed('tls.issuance', {
  acme: async () => (await import('./acme/index.ts')).acmeModule,
  internal: async () => (await import('./internal/index.ts')).internalModule,
  zerossl: async () => (await import('./zerossl/index.ts')).zeroSslModule,
});
