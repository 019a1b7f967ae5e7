/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import type { ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = [
  {
    namespace: 'caddy.adapters',
    name: 'caddyfile',
    load: async () => (await import('./caddyfile/index.ts')).caddyfile,
  },
  {
    namespace: 'caddy.adapters',
    name: 'json5',
    load: async () => (await import('./json5/index.ts')).json5,
  },
  {
    namespace: 'caddy.adapters',
    name: 'nginx',
    load: async () => (await import('./nginx/index.ts')).nginx,
  },
  {
    namespace: 'caddy.adapters',
    name: 'toml',
    load: async () => (await import('./toml/index.ts')).toml,
  },
  {
    namespace: 'caddy.adapters',
    name: 'yaml',
    load: async () => (await import('./yaml/index.ts')).yaml,
  },
];
