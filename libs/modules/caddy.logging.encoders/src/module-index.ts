/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import type { ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = [
  {
    namespace: 'caddy.logging.encoders',
    name: 'append',
    load: async () => (await import('./append/index.ts')).appendModule,
  },
  {
    namespace: 'caddy.logging.encoders',
    name: 'console',
    load: async () => (await import('./console/index.ts')).consoleModule,
  },
  {
    namespace: 'caddy.logging.encoders',
    name: 'filter',
    load: async () => (await import('./filter/index.ts')).filterModule,
  },
  {
    namespace: 'caddy.logging.encoders',
    name: 'journald',
    load: async () => (await import('./journald/index.ts')).journaldModule,
  },
  {
    namespace: 'caddy.logging.encoders',
    name: 'json',
    load: async () => (await import('./json/index.ts')).jsonModule,
  },
  {
    namespace: 'caddy.logging.encoders',
    name: 'logfmt',
    load: async () => (await import('./logfmt/index.ts')).logfmtModule,
  },
  {
    namespace: 'caddy.logging.encoders',
    name: 'single_field',
    load: async () => (await import('./single_field/index.ts')).singleFieldModule,
  },
];
