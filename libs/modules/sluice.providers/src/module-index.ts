/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import { listed, type ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = listed('sluice.providers', {
  docker: async () => (await import('./docker/index.ts')).dockerModule,
});
