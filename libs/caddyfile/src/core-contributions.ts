/** The global options that this package brings itself, such as `debug` and `order`. */
import type { GlobalOption, GlobalOptionContribution } from './http/contributions.ts';
import type { Description } from './http/description.ts';

const names = ['debug', 'persist_config', 'admin', 'storage', 'log', 'order'];

/** Their readers are loaded when a file has them. */
export const coreOptions: readonly GlobalOptionContribution[] = names.map((name) => ({
  name,
  load: async () => (await import('./http/core-options.ts')).coreOptionReaders[name] as GlobalOption,
  describe: async () => (await import('./http/describe-core-options.ts')).coreDescriptions[name] as Description,
}));
