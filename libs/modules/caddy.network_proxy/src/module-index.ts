/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import type { ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = [
  {
    namespace: 'caddy.network_proxy',
    name: 'none',
    load: async () => (await import('./none/index.ts')).noneModule,
  },
  {
    namespace: 'caddy.network_proxy',
    name: 'url',
    load: async () => (await import('./url/index.ts')).urlModule,
  },
];
