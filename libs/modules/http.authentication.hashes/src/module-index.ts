/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import type { ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = [
  {
    namespace: 'http.authentication.hashes',
    name: 'argon2id',
    load: async () => (await import('./argon2id/index.ts')).argon2idModule,
  },
  {
    namespace: 'http.authentication.hashes',
    name: 'bcrypt',
    load: async () => (await import('./bcrypt/index.ts')).bcryptModule,
  },
];
