/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import { listed, type ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = listed('caddy.network_proxy', {
  none: async () => (await import('./none/index.ts')).noneModule,
  url: async () => (await import('./url/index.ts')).urlModule,
});
