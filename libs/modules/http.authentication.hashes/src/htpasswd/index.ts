/** The module `http.authentication.hashes.htpasswd`, which verifies the hash formats of Apache's `htpasswd`. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { SluiceError } from '@sluice/base';
import { passwordHashes, type PasswordHash } from '@sluice/http-app';
import { defineModule, options } from '@sluice/registry';
import { bcryptHash } from '../bcrypt/index.ts';
import { md5Crypt } from './md5-crypt.ts';

const bcryptForm = /^\$2[abxy]?\$/;
const md5Form = /^(\$apr1\$|\$1\$)([^$]{1,8})\$([./A-Za-z\d]{22})$/;
const shaForm = /^\{(SHA|SSHA)\}([A-Za-z\d+/]+={0,2})$/;

/** Hash that matches no known password. */
const unmatched = '$apr1$P2nzckEd$QWz6C3nJ7vXJH5eYwq1mV.';

export const htpasswdModule = defineModule(passwordHashes, {
  name: 'htpasswd',
  help: 'Verifies passwords against the hash formats of htpasswd files: bcrypt, apr1 ($apr1$), MD5 crypt ($1$), {SHA} and {SSHA}. All except bcrypt are weak; use them only during a migration.',
  config: options({}),
  provision: (): PasswordHash => ({
    decoy: (like) => (bcryptForm.test(like) ? bcryptHash.decoy(like) : unmatched),
    verify: async (hash, password) =>
      bcryptForm.test(hash) ? bcryptHash.verify(hash, password) : verify(hash, password),
  }),
});

function verify(hash: string, password: string): boolean {
  const [, magic, salt = '', digest = ''] = md5Form.exec(hash) ?? [];
  if (magic !== undefined) return isEqual(md5Crypt(password, magic, salt), Buffer.from(digest));
  const [, kind, encoded = ''] = shaForm.exec(hash) ?? [];
  const stored = Buffer.from(encoded, 'base64');
  if (kind === undefined || stored.length < 20)
    throw new SluiceError('ERR_PASSWORD_HASH', 'stored password is not an htpasswd hash');
  const found = createHash('sha1').update(password);
  // In the {SSHA} format, the salt follows the digest.
  if (kind === 'SSHA') found.update(stored.subarray(20));
  return isEqual(found.digest(), kind === 'SHA' ? stored : stored.subarray(0, 20));
}

function isEqual(found: Buffer, stored: Buffer): boolean {
  return found.length === stored.length && timingSafeEqual(found, stored);
}
