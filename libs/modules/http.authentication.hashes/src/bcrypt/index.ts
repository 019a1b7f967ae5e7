/** `http.authentication.hashes.bcrypt`: `$2a$10$…`. */
import { SluiceError } from '@sluice/base';
import { passwordHashes, type PasswordHash } from '@sluice/http-app';
import { defineModule, options } from '@sluice/registry';

const form = /^\$2[abxy]?\$\d{2}\$[./A-Za-z\d]{53}$/;

/** Salt and hash that belong to no known password. */
const unmatched = '7EqJtq98hPqEX7fNZaFWoOa7TcQ6CvJ8vXJH5eYwq1mVRnRBFHZ4e';

/** The module. The work is done by native code on the thread pool, loaded on first use. */
export const bcryptModule = defineModule(passwordHashes, {
  name: 'bcrypt',
  help: 'Verifies passwords against bcrypt hashes.',
  config: options({}),
  provision: (): PasswordHash => ({
    // Cost 10, as most tools make them, where there is none to go by.
    decoy: (like) => (form.test(like) ? like.slice(0, -unmatched.length) : '$2a$10$') + unmatched,
    verify: async (hash, password) => {
      if (!form.test(hash)) throw new SluiceError('ERR_PASSWORD_HASH', 'stored password is not a bcrypt hash');
      const { verify } = await import('@node-rs/bcrypt');
      // bcrypt looks at the first 72 bytes only; a longer password is refused as the reference refuses to make such hashes.
      return Buffer.byteLength(password) <= 72 && (await verify(password, hash));
    },
  }),
});
