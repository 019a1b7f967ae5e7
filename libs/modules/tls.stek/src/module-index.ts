/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import type { ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = [
  {
    namespace: 'tls.stek',
    name: 'distributed',
    load: async () => (await import('./distributed/index.ts')).distributedModule,
  },
  {
    namespace: 'tls.stek',
    name: 'standard',
    load: async () => (await import('./standard/index.ts')).standardModule,
  },
];
