/** `http.authentication.hashes.bcrypt`: `$2a$10$…`. */
import { SluiceError } from '@sluice/base';
import { passwordHashes, type PasswordHash } from '@sluice/http-app';
import { defineModule, options } from '@sluice/registry';

const form = /^\$2[abxy]?\$\d{2}\$[./A-Za-z\d]{53}$/;

/** Salt and hash that match no known password. */
const unmatched = '7EqJtq98hPqEX7fNZaFWoOa7TcQ6CvJ8vXJH5eYwq1mVRnRBFHZ4e';

/** Verifies bcrypt hashes with native code in the thread pool. The code is loaded on first use. */
export const bcryptHash: PasswordHash = {
  // If there is no existing hash to imitate, use cost 10, the default of most tools.
  decoy: (like) => (form.test(like) ? like.slice(0, -unmatched.length) : '$2a$10$') + unmatched,
  verify: async (hash, password) => {
    if (!form.test(hash)) throw new SluiceError('ERR_PASSWORD_HASH', 'stored password is not a bcrypt hash');
    const { verify } = await import('@node-rs/bcrypt');
    // bcrypt uses only the first 72 bytes of a password. Reject longer passwords, because Caddy refuses to hash them.
    return Buffer.byteLength(password) <= 72 && (await verify(password, hash));
  },
};

export const bcryptModule = defineModule(passwordHashes, {
  name: 'bcrypt',
  help: 'Verifies passwords against bcrypt hashes.',
  config: options({}),
  provision: (): PasswordHash => bcryptHash,
});
