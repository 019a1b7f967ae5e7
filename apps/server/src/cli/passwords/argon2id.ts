/** Creates argon2id password hashes in the format `$argon2id$v=19$m=47104,t=1,p=1$<salt>$<hash>` (RFC 9106). */
import { argon2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { CommandError } from '../../failure.ts';

const derive = promisify(argon2);
const saltLength = 16;
const minLength = 4;
/** Minimum memory per argon2id lane, in KiB. */
const minPerLane = 8;

/** Cost parameters of argon2id, named like the command options. */
export interface Argon2idOptions {
  readonly argon2idTime?: number;
  /** In KiB. */
  readonly argon2idMemory?: number;
  readonly argon2idThreads?: number;
  /** Hash length in bytes. */
  readonly argon2idKeylen?: number;
}

/** Hashes a password with a new random salt. */
export async function hashArgon2id(password: string, options: Argon2idOptions): Promise<string> {
  const { argon2idTime: passes = 1, argon2idMemory: memory = 47_104 } = options;
  const { argon2idThreads: parallelism = 1, argon2idKeylen: tagLength = 32 } = options;
  check('--argon2id-time', passes, 1);
  check('--argon2id-threads', parallelism, 1);
  check('--argon2id-memory', memory, minPerLane * parallelism);
  check('--argon2id-keylen', tagLength, minLength);
  const nonce = randomBytes(saltLength);
  const tag = await derive('argon2id', { message: password, nonce, parallelism, tagLength, memory, passes });
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(nonce)}$${base64(tag)}`;
}

function check(option: string, value: number, min: number): void {
  if (value < min) throw new CommandError(`${option} is ${value}, but must be at least ${min}`);
}

/** Encodes base64 without padding, as the argon2id format requires. */
function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
