/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import type { ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = [
  {
    namespace: 'caddy.config_loaders',
    name: 'http',
    load: async () => (await import('./http/index.ts')).httpLoader,
  },
];
