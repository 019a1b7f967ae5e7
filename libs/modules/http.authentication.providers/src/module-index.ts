/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import type { ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = [
  {
    namespace: 'http.authentication.providers',
    name: 'http_basic',
    load: async () => (await import('./http_basic/index.ts')).httpBasicModule,
  },
  {
    namespace: 'http.authentication.providers',
    name: 'jwt',
    load: async () => (await import('./jwt/index.ts')).jwtModule,
  },
];
