/** Asynchronous versions of expensive template functions, for hosts that must not block the event loop. */
import { generateKeyPair, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { HashOptions } from '@node-rs/bcrypt';
import { byteLength, encodeText } from '../values/text.ts';
import { checkDerived, keyOptions, passwordOf, saltOf, type DerivedPassword } from './derive-password.ts';

/**
 * Returns a function that computes the value in the thread pool. Returns `null` if the synchronous function is fast enough for these
 * arguments.
 */
export type SlowFunction = (...args: readonly never[]) => (() => Promise<string>) | null;

const makeKeyPair = promisify(generateKeyPair);

const makeKey = promisify((secret: Uint8Array, salt: Buffer, done: (error: Error | null, key: Buffer) => void): void =>
  scrypt(secret, salt, 64, keyOptions, done),
);

const cost: HashOptions = { cost: 10, version: '2a' };

async function hashOf(password: string): Promise<string> {
  const { hash } = await import('@node-rs/bcrypt');
  return hash(encodeText(password), cost);
}

function isTooLong(password: string): boolean {
  return byteLength(password) > 72;
}

async function rsaKey(): Promise<string> {
  const { privateKey } = await makeKeyPair('rsa', { modulusLength: 4096 });
  return privateKey.export({ type: 'pkcs1', format: 'pem' });
}

async function derived(wanted: DerivedPassword): Promise<string> {
  return passwordOf(await makeKey(encodeText(wanted.master), saltOf(wanted)), wanted);
}

/** Asynchronous functions by name. The arguments are the same as for the functions in `sprig`. */
export const slowFunctions: Readonly<Record<string, SlowFunction>> = {
  bcrypt: (password: string) => (isTooLong(password) ? null : () => hashOf(password)),
  htpasswd: (user: string, password: string) =>
    user.includes(':') || isTooLong(password) ? null : async () => `${user}:${await hashOf(password)}`,
  genPrivateKey: (type: string) => (type === '' || type === 'rsa' ? rsaKey : null),
  derivePassword: (...[counter, type, master, user, site]: [number, string, string, string, string]) => {
    const wanted = { counter, type, master, user, site };
    return checkDerived(wanted) === null ? () => derived(wanted) : null;
  },
};
