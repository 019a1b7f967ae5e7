/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import type { ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = [
  {
    namespace: 'dns.providers',
    name: 'rfc2136',
    load: async () => (await import('./rfc2136/index.ts')).rfc2136Module,
  },
];
