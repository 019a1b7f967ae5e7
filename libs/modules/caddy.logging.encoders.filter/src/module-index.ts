/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import type { ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = [
  {
    namespace: 'caddy.logging.encoders.filter',
    name: 'cookie',
    load: async () => (await import('./cookie/index.ts')).cookieModule,
  },
  {
    namespace: 'caddy.logging.encoders.filter',
    name: 'delete',
    load: async () => (await import('./delete/index.ts')).deleteModule,
  },
  {
    namespace: 'caddy.logging.encoders.filter',
    name: 'hash',
    load: async () => (await import('./hash/index.ts')).hashModule,
  },
  {
    namespace: 'caddy.logging.encoders.filter',
    name: 'ip_mask',
    load: async () => (await import('./ip_mask/index.ts')).ipMaskModule,
  },
  {
    namespace: 'caddy.logging.encoders.filter',
    name: 'multi_regexp',
    load: async () => (await import('./multi_regexp/index.ts')).multiRegexpModule,
  },
  {
    namespace: 'caddy.logging.encoders.filter',
    name: 'query',
    load: async () => (await import('./query/index.ts')).queryModule,
  },
  {
    namespace: 'caddy.logging.encoders.filter',
    name: 'regexp',
    load: async () => (await import('./regexp/index.ts')).regexpModule,
  },
  {
    namespace: 'caddy.logging.encoders.filter',
    name: 'rename',
    load: async () => (await import('./rename/index.ts')).renameModule,
  },
  {
    namespace: 'caddy.logging.encoders.filter',
    name: 'replace',
    load: async () => (await import('./replace/index.ts')).replaceModule,
  },
  {
    namespace: 'caddy.logging.encoders.filter',
    name: 'set_cookie',
    load: async () => (await import('./set_cookie/index.ts')).setCookieModule,
  },
];
