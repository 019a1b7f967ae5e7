/** Creates bcrypt password hashes in the format `$2a$14$…`. */
import { hash } from '@node-rs/bcrypt';
import { CommandError } from '../../failure.ts';

const [minCost, defaultCost, maxCost] = [4, 14, 31];
/** Maximum password length in bytes. bcrypt would ignore further bytes. */
const max = 72;

/** Hashes a password with a new random salt. Replaces an unsupported cost with the default. */
export async function hashBcrypt(password: string, cost = defaultCost): Promise<string> {
  if (Buffer.byteLength(password) > max)
    throw new CommandError(`bcrypt supports passwords of at most ${max} bytes; use argon2id for longer passwords`);
  return hash(password, { cost: isCost(cost) ? cost : defaultCost, version: '2a' });
}

export function isCost(cost: number): boolean {
  return cost >= minCost && cost <= maxCost;
}
