/** The global options that this package brings itself, such as `debug` and `order`. */
import type { GlobalOption, GlobalOptionContribution } from './http/contributions.ts';

const names = ['debug', 'persist_config', 'admin', 'storage', 'log', 'order'];

/** Their readers are loaded when a file has them. */
export const coreOptions: readonly GlobalOptionContribution[] = names.map((name) => ({
  name,
  load: async () => (await import('./http/core-options.ts')).coreOptionReaders[name] as GlobalOption,
}));
