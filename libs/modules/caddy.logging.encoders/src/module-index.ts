/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import { listed, type ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = listed('caddy.logging.encoders', {
  append: async () => (await import('./append/index.ts')).appendModule,
  console: async () => (await import('./console/index.ts')).consoleModule,
  filter: async () => (await import('./filter/index.ts')).filterModule,
  journald: async () => (await import('./journald/index.ts')).journaldModule,
  json: async () => (await import('./json/index.ts')).jsonModule,
  logfmt: async () => (await import('./logfmt/index.ts')).logfmtModule,
  single_field: async () => (await import('./single_field/index.ts')).singleFieldModule,
});
