/** Password hashes: namespace `http.authentication.hashes`. */
import { references, type Registry } from '@sluice/registry';
import { argon2idModule } from './argon2id/index.ts';
import { bcryptModule } from './bcrypt/index.ts';

/** Adds the modules of this package. */
export function register(registry: Registry): void {
  registry.add(argon2idModule);
  registry.add(bcryptModule);
  registry.contribute(references, {
    name: '@sluice/http.authentication.hashes',
    load: async () => (await import('./reference.ts')).reference,
  });
}
