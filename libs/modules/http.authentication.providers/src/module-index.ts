/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import { listed, type ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = listed('http.authentication.providers', {
  http_basic: async () => (await import('./http_basic/index.ts')).httpBasicModule,
  jwt: async () => (await import('./jwt/index.ts')).jwtModule,
});
