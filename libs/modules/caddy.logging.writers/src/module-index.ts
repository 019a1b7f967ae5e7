/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import type { ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = [
  {
    namespace: 'caddy.logging.writers',
    name: 'discard',
    load: async () => (await import('./discard/index.ts')).discardModule,
  },
  {
    namespace: 'caddy.logging.writers',
    name: 'file',
    load: async () => (await import('./file/index.ts')).fileModule,
  },
  {
    namespace: 'caddy.logging.writers',
    name: 'net',
    load: async () => (await import('./net/index.ts')).netModule,
  },
  {
    namespace: 'caddy.logging.writers',
    name: 'pino',
    load: async () => (await import('./pino/index.ts')).pinoModule,
  },
  {
    namespace: 'caddy.logging.writers',
    name: 'stderr',
    load: async () => (await import('./stderr/index.ts')).stderrModule,
  },
  {
    namespace: 'caddy.logging.writers',
    name: 'stdout',
    load: async () => (await import('./stdout/index.ts')).stdoutModule,
  },
];
