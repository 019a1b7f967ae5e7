/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import { listed, type ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = listed('caddy.logging.writers', {
  discard: async () => (await import('./discard/index.ts')).discardModule,
  file: async () => (await import('./file/index.ts')).fileModule,
  net: async () => (await import('./net/index.ts')).netModule,
  pino: async () => (await import('./pino/index.ts')).pinoModule,
  stderr: async () => (await import('./stderr/index.ts')).stderrModule,
  stdout: async () => (await import('./stdout/index.ts')).stdoutModule,
});
