/** The global options that this package brings itself, such as `debug` and `order`. */
import type { GlobalOption, GlobalOptionContribution, ModuleSyntaxContribution } from './http/contributions.ts';
import type { Description } from './http/description.ts';

const names = ['debug', 'persist_config', 'admin', 'storage', 'log', 'order'];

/** Cores of logs, which have no effect. The reference has one, for tests. */
export const coreSyntaxes: readonly ModuleSyntaxContribution[] = [
  {
    name: 'caddy.logging.cores.mock',
    load: () => Promise.resolve(() => ({})),
    describe: async () => (await import('./http/describe-core-options.ts')).mockCore,
  },
];

/** Their readers are loaded when a file has them. */
export const coreOptions: readonly GlobalOptionContribution[] = names.map((name) => ({
  name,
  load: async () => (await import('./http/core-options.ts')).coreOptionReaders[name] as GlobalOption,
  describe: async () => (await import('./http/describe-core-options.ts')).coreDescriptions[name] as Description,
}));
