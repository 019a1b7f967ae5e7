/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import type { ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = [
  {
    namespace: 'tls.issuance',
    name: 'acme',
    load: async () => (await import('./acme/index.ts')).acmeModule,
  },
  {
    namespace: 'tls.issuance',
    name: 'internal',
    load: async () => (await import('./internal/index.ts')).internalModule,
  },
  {
    namespace: 'tls.issuance',
    name: 'zerossl',
    load: async () => (await import('./zerossl/index.ts')).zeroSslModule,
  },
];
