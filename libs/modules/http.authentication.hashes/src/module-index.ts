/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import { listed, type ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = listed('http.authentication.hashes', {
  argon2id: async () => (await import('./argon2id/index.ts')).argon2idModule,
  bcrypt: async () => (await import('./bcrypt/index.ts')).bcryptModule,
});
