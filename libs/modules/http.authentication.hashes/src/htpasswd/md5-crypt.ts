/** MD5 crypt, which is `$1$` in crypt(3) and `$apr1$` in Apache. */
import { createHash } from 'node:crypto';

const alphabet = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const rounds = 1000;

/** Indexes of the digest bytes in each output group, most significant byte first. */
const groups = [
  [0, 6, 12],
  [1, 7, 13],
  [2, 8, 14],
  [3, 9, 15],
  [4, 10, 5],
] as const;

const md5 = (parts: readonly Buffer[]): Buffer => createHash('md5').update(Buffer.concat(parts)).digest();

/** Returns the 22 characters of an MD5 crypt hash. */
export function md5Crypt(password: string, magic: string, salt: string): Buffer {
  const key = Buffer.from(password);
  const seed = Buffer.from(salt);
  const mixed = md5([key, seed, key]);
  const first: Buffer[] = [key, Buffer.from(magic), seed];
  for (let left = key.length; left > 0; left -= 16) first.push(mixed.subarray(0, Math.min(16, left)));
  for (let bits = key.length; bits > 0; bits >>= 1) first.push(bits & 1 ? Buffer.alloc(1) : key.subarray(0, 1));
  let digest = md5(first);
  for (let round = 0; round < rounds; round++) {
    const parts = [round % 2 === 1 ? key : digest];
    if (round % 3 !== 0) parts.push(seed);
    if (round % 7 !== 0) parts.push(key);
    parts.push(round % 2 === 1 ? digest : key);
    digest = md5(parts);
  }
  const byte = (index: number): number => digest[index] ?? 0;
  const text = groups.map(([a, b, c]) => encoded((byte(a) << 16) | (byte(b) << 8) | byte(c), 4)).join('');
  return Buffer.from(text + encoded(byte(11), 2));
}

/** Encodes a number with six bits per character, least significant bits first. */
function encoded(value: number, length: number): string {
  return Array.from({ length }, (_, i) => alphabet[(value >> (6 * i)) & 63]).join('');
}
