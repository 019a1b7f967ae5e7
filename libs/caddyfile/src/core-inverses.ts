/** How the global options that this package brings itself are written again. */
import type { GlobalInverse } from './http/contributions.ts';
import type { WriteGlobalOption } from './inverse/written.ts';

const names = ['debug', 'admin', 'persist_config', 'storage', 'log'];

/** Their code is loaded when something is converted. */
export const coreInverses: readonly GlobalInverse[] = names.map((name) => ({
  name,
  load: async () => (await import('./http/inverse-core-options.ts')).coreOptionWriters[name] as WriteGlobalOption,
}));
