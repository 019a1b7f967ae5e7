/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import type { ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = [
  {
    namespace: 'tls.client_auth.verifier',
    name: 'leaf',
    load: async () => (await import('./leaf/index.ts')).leafModule,
  },
];
