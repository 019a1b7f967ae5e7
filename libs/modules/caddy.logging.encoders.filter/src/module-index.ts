/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import { listed, type ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = listed('caddy.logging.encoders.filter', {
  cookie: async () => (await import('./cookie/index.ts')).cookieModule,
  delete: async () => (await import('./delete/index.ts')).deleteModule,
  hash: async () => (await import('./hash/index.ts')).hashModule,
  ip_mask: async () => (await import('./ip_mask/index.ts')).ipMaskModule,
  multi_regexp: async () => (await import('./multi_regexp/index.ts')).multiRegexpModule,
  query: async () => (await import('./query/index.ts')).queryModule,
  regexp: async () => (await import('./regexp/index.ts')).regexpModule,
  rename: async () => (await import('./rename/index.ts')).renameModule,
  replace: async () => (await import('./replace/index.ts')).replaceModule,
  set_cookie: async () => (await import('./set_cookie/index.ts')).setCookieModule,
});
