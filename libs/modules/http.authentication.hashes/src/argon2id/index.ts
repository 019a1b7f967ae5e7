/**
 * The module `http.authentication.hashes.argon2id`, which verifies `$argon2id$v=19$m=47104,t=1,p=1$<salt>$<hash>` (RFC 9106, PHC string
 * format).
 */
import { argon2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { SluiceError } from '@sluice/base';
import { passwordHashes, type PasswordHash } from '@sluice/http-app';
import { defineModule, options } from '@sluice/registry';

const derive = promisify(argon2);

interface Parameters {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
  readonly nonce: Buffer;
  readonly tag: Buffer;
}

const costs = /^\$argon2id\$v=19\$m=\d{1,7},t=\d{1,3},p=\d{1,3}(?=\$)/;

/** Salt and hash that match no known password. */
const unmatched = '$P2nzckEdTZ3bxCiBCkRTyA$xQL3Z32eo5jKl7u5tcIsnEKObYiyNZQQf5/4sAau6Pg';

/** Maximum costs of a stored hash: 1 GiB, 64 passes, 64 lanes. */
const bounds = { memory: 1024 * 1024, passes: 64, parallelism: 64 };

export const argon2idModule = defineModule(passwordHashes, {
  name: 'argon2id',
  help: 'Verifies passwords against argon2id hashes.',
  config: options({}),
  provision: (): PasswordHash => ({
    // If there is no existing hash to imitate, use Caddy's default costs.
    decoy: (like) => (costs.exec(like)?.[0] ?? '$argon2id$v=19$m=47104,t=1,p=1') + unmatched,
    verify: async (hash, password) => {
      const { memory, passes, parallelism, nonce, tag } = parse(hash);
      const found = await derive('argon2id', {
        message: password,
        nonce,
        parallelism,
        tagLength: tag.length,
        memory,
        passes,
      });
      return timingSafeEqual(found, tag);
    },
  }),
});

function parse(hash: string): Parameters {
  const parts = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3})\$([A-Za-z\d+/]+)\$([A-Za-z\d+/]+)$/.exec(hash);
  if (parts === null)
    throw new SluiceError('ERR_PASSWORD_HASH', 'stored password is not an argon2id hash of version 19');
  const [, memory, passes, parallelism, nonce = '', tag = ''] = parts;
  const found = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  if (found.memory > bounds.memory || found.passes > bounds.passes || found.parallelism > bounds.parallelism) {
    throw new SluiceError(
      'ERR_PASSWORD_HASH',
      `stored argon2id hash exceeds the limits m=${bounds.memory},t=${bounds.passes},p=${bounds.parallelism}`,
    );
  }
  return { ...found, nonce: Buffer.from(nonce, 'base64'), tag: Buffer.from(tag, 'base64') };
}
