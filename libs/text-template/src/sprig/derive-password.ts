/** Implements `derivePassword`, which derives site passwords from a master password (Master Password algorithm, version 3). */
import { createHmac, scryptSync } from 'node:crypto';
import { encodeText } from '../values/text.ts';

const scope = 'com.lyndir.masterpassword';

const templates: Readonly<Record<string, readonly string[]>> = {
  maximum: ['anoxxxxxxxxxxxxxxxxx', 'axxxxxxxxxxxxxxxxxno'],
  long: [
    'CvcvnoCvcvCvcv',
    'CvcvCvcvnoCvcv',
    'CvcvCvcvCvcvno',
    'CvccnoCvcvCvcv',
    'CvccCvcvnoCvcv',
    'CvccCvcvCvcvno',
    'CvcvnoCvccCvcv',
    'CvcvCvccnoCvcv',
    'CvcvCvccCvcvno',
    'CvcvnoCvcvCvcc',
    'CvcvCvcvnoCvcc',
    'CvcvCvcvCvccno',
    'CvccnoCvccCvcv',
    'CvccCvccnoCvcv',
    'CvccCvccCvcvno',
    'CvcvnoCvccCvcc',
    'CvcvCvccnoCvcc',
    'CvcvCvccCvccno',
    'CvccnoCvcvCvcc',
    'CvccCvcvnoCvcc',
    'CvccCvcvCvccno',
  ],
  medium: ['CvcnoCvc', 'CvcCvcno'],
  short: ['Cvcn'],
  basic: ['aaanaaan', 'aannaaan', 'aaannaaa'],
  pin: ['nnnn'],
};

const classes: Readonly<Record<string, string>> = {
  V: 'AEIOU',
  C: 'BCDFGHJKLMNPQRSTVWXYZ',
  v: 'aeiou',
  c: 'bcdfghjklmnpqrstvwxyz',
  A: 'AEIOUBCDFGHJKLMNPQRSTVWXYZ',
  a: 'AEIOUaeiouBCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz',
  n: '0123456789',
  o: "@&%?,=[]_:-+*$#!'^~;()/.",
  x: 'AEIOUaeiouBCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz0123456789!@#$%^&*()',
};

function sized(text: string): Buffer {
  const bytes = encodeText(text);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(bytes.length);
  return Buffer.concat([size, bytes]);
}

export interface DerivedPassword {
  readonly counter: number;
  readonly type: string;
  readonly master: string;
  readonly user: string;
  readonly site: string;
}

/** Parameters of scrypt. */
export const keyOptions = { N: 32_768, r: 8, p: 2, maxmem: 64 * 1024 * 1024 };

/** Returns the salt from which the master key is derived. */
export function saltOf({ user }: DerivedPassword): Buffer {
  return Buffer.concat([Buffer.from(scope), sized(user)]);
}

/** Returns an error message if the password type is invalid, otherwise `null`. */
export function checkDerived({ type }: DerivedPassword): string | null {
  return templates[type] === undefined ? `cannot find password template ${type}` : null;
}

/** Returns a user's password for a site. `type` is maximum, long, medium, short, basic or pin. */
export function derivePassword(wanted: DerivedPassword): string {
  const problem = checkDerived(wanted);
  return problem ?? passwordOf(scryptSync(encodeText(wanted.master), saltOf(wanted), 64, keyOptions), wanted);
}

/** Derives a site password from the 64-byte master key. */
export function passwordOf(key: Buffer, { counter, type, site }: DerivedPassword): string {
  const choices = templates[type] ?? [];
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter >>> 0);
  const seed = createHmac('sha256', key).update(scope).update(sized(site)).update(count).digest();
  const template = choices[(seed[0] ?? 0) % choices.length] ?? '';
  return Array.from(template, (name, index) => {
    const characters = classes[name] ?? '';
    return characters.charAt((seed[index + 1] ?? 0) % characters.length);
  }).join('');
}
