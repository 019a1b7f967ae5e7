/**
 * Encodes strings synchronously in a buffer that all strings share. Separate buffers would be allocated outside V8's heap. At a few
 * thousand pages per second, these allocations would trigger full garbage collections.
 */
import type { HttpEncoder } from '@sluice/http-app';

/** Maximum length of a string to encode synchronously, in characters. */
const maxText = 48 * 1024;

/** Shared buffer, created on first use. */
let room: Buffer | null = null;

/** Encodes a string. Returns `null` if the encoder can't encode it synchronously. */
export function encodeTextAtOnce(encoder: HttpEncoder, text: string): Buffer | null {
  // Strings with unpaired surrogates need the regular conversion to UTF-8.
  if (encoder.encodeAtOnce === undefined || text.length > maxText || !text.isWellFormed()) return null;
  room ??= Buffer.allocUnsafeSlow(3 * maxText);
  return encoder.encodeAtOnce(room.subarray(0, room.write(text, 'utf8')));
}
