/** Keys of session tickets. */
import { randomBytes } from 'node:crypto';

/** Bytes of a key: name, HMAC and AES, 16 each. */
export const keyLength = 48;

/** The keys with a new one in front; the oldest are dropped. */
export function rotated(keys: readonly Buffer[], maxKeys: number): readonly Buffer[] {
  return [randomBytes(keyLength), ...keys].slice(0, Math.max(1, maxKeys));
}
