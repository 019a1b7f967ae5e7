/** Hashes with bcrypt, written as `$2a$14$…`. */
import { hash } from '@node-rs/bcrypt';
import { CommandError } from '../../failure.ts';

const [least, usual, most] = [4, 14, 31];
/** bcrypt looks at no more. */
const longest = 72;

/** Hashes a password with a salt of its own. A cost that bcrypt does not have becomes the usual one. */
export async function hashBcrypt(password: string, cost = usual): Promise<string> {
  if (Buffer.byteLength(password) > longest)
    throw new CommandError(`bcrypt supports passwords of at most ${longest} bytes; use argon2id for longer ones`);
  return hash(password, { cost: isCost(cost) ? cost : usual, version: '2a' });
}

/** Whether bcrypt can have this cost. */
export function isCost(cost: number): boolean {
  return cost >= least && cost <= most;
}
