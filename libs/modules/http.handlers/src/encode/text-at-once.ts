/**
 * Encodes strings synchronously, in a buffer shared by all strings. Separate buffers would be allocated outside V8's
 * heap, and a few thousand pages per second would cause full garbage collections.
 */
import type { HttpEncoder } from '@sluice/http-app';

/** Maximum length of a string to encode synchronously, in characters. */
const maxText = 48 * 1024;

/** Created on first use. */
let room: Buffer | null = null;

/** Encodes a string. Returns `null` if the encoder can't do so synchronously. */
export function encodeTextAtOnce(encoder: HttpEncoder, text: string): Buffer | null {
  // Strings with unpaired surrogates need the regular UTF-8 encoding.
  if (encoder.encodeAtOnce === undefined || text.length > maxText || !text.isWellFormed()) return null;
  room ??= Buffer.allocUnsafeSlow(3 * maxText);
  return encoder.encodeAtOnce(room.subarray(0, room.write(text, 'utf8')));
}
