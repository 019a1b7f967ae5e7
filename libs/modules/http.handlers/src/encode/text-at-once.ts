/**
 * Encodes strings synchronously, with their bytes in memory shared by all strings. Separate buffers would be garbage outside V8's heap; a
 * few thousand pages per second cause full garbage collections.
 */
import type { HttpEncoder } from '@sluice/http-app';

/** Maximum length of a string to encode synchronously, in characters. */
const maxText = 48 * 1024;

/** Created on first use. */
let room: Buffer | null = null;

/** Encodes a string; returns `null` if the encoder can't do it synchronously. */
export function encodeTextAtOnce(encoder: HttpEncoder, text: string): Buffer | null {
  // Malformed strings contain bytes that UTF-8 encoding would not produce.
  if (encoder.encodeAtOnce === undefined || text.length > maxText || !text.isWellFormed()) return null;
  room ??= Buffer.allocUnsafeSlow(3 * maxText);
  return encoder.encodeAtOnce(room.subarray(0, room.write(text, 'utf8')));
}
