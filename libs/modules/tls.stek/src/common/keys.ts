/** Session ticket keys. */
import { randomBytes } from 'node:crypto';

/** Size of a session ticket key in bytes: 16 each for the name, the HMAC key and the AES key. */
export const keyLength = 48;

/** Returns the session ticket keys with a new key in front. If there are more than the maximum, drops the oldest keys. */
export function rotated(keys: readonly Buffer[], maxKeys: number): readonly Buffer[] {
  return [randomBytes(keyLength), ...keys].slice(0, Math.max(1, maxKeys));
}
