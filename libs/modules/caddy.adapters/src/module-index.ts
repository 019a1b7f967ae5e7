/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import { listed, type ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = listed('caddy.adapters', {
  caddyfile: async () => (await import('./caddyfile/index.ts')).caddyfile,
  json5: async () => (await import('./json5/index.ts')).json5,
  nginx: async () => (await import('./nginx/index.ts')).nginx,
  toml: async () => (await import('./toml/index.ts')).toml,
  yaml: async () => (await import('./yaml/index.ts')).yaml,
});
