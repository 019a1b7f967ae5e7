/**
 * Texts on their way through an encoder that is done when it returns: their bytes stand in memory that every text uses. Bytes
 * of their own are garbage outside of V8's heap, of which a few thousand pages a second cause full collections.
 */
import type { HttpEncoder } from '@sluice/http-app';

/** Longest text, in characters, that may be encoded at once. */
const maxText = 48 * 1024;

/** Made when it is first used. */
let room: Buffer | null = null;

/** The encoded form of a text, or `null` if the encoder does not have it at once. */
export function encodeTextAtOnce(encoder: HttpEncoder, text: string): Buffer | null {
  // What is not well-formed has bytes that UTF-8 does not write.
  if (encoder.encodeAtOnce === undefined || text.length > maxText || !text.isWellFormed()) return null;
  room ??= Buffer.allocUnsafeSlow(3 * maxText);
  return encoder.encodeAtOnce(room.subarray(0, room.write(text, 'utf8')));
}
