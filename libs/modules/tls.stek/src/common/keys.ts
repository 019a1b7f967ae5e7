/** Session ticket keys. */
import { randomBytes } from 'node:crypto';

/** Key size in bytes: 16 each for name, HMAC and AES. */
export const keyLength = 48;

/** Returns the keys with a new one in front; the oldest are dropped. */
export function rotated(keys: readonly Buffer[], maxKeys: number): readonly Buffer[] {
  return [randomBytes(keyLength), ...keys].slice(0, Math.max(1, maxKeys));
}
