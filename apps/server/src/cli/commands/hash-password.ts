/** `sluice hash-password`: hashes a password for use in a configuration. */
import { CommandError } from '../../failure.ts';
import { hashArgon2id, type Argon2idOptions } from '../passwords/argon2id.ts';
import { readPassword } from '../passwords/read-password.ts';

export interface HashPasswordOptions extends Argon2idOptions {
  readonly plaintext?: string;
  readonly algorithm?: string;
  readonly bcryptCost?: number;
}

/** Prints the password hash. Never prints the password. */
export async function hashPassword(options: HashPasswordOptions): Promise<number> {
  const { plaintext, algorithm = 'bcrypt' } = options;
  if (algorithm !== 'bcrypt' && algorithm !== 'argon2id')
    throw new CommandError(`unknown algorithm ${algorithm}; use bcrypt or argon2id`);
  const password = plaintext ?? (await readPassword());
  if (password === '')
    throw new CommandError('hash-password requires a password: --plaintext, or a line on standard input');
  const hashed = algorithm === 'bcrypt' ? await bcrypt(password, options) : await hashArgon2id(password, options);
  process.stdout.write(`${hashed}\n`);
  return 0;
}

async function bcrypt(password: string, { bcryptCost }: HashPasswordOptions): Promise<string> {
  const { hashBcrypt, isCost } = await import('../passwords/bcrypt.ts');
  if (bcryptCost !== undefined && !isCost(bcryptCost))
    process.stderr.write(`warning: --bcrypt-cost ${bcryptCost} is not between 4 and 31; using the default cost\n`);
  return hashBcrypt(password, bcryptCost);
}
