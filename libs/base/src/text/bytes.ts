/**
 * Strings that preserve arbitrary bytes. Text from the network or the file system can be invalid UTF-8, and must survive a round trip.
 *
 * Valid UTF-8 becomes an ordinary string. Each invalid byte becomes the lone surrogate U+DC00 + byte (U+DC80 to U+DCFF), like Python's
 * `surrogateescape`. Such a string is not well-formed. `String.prototype.isWellFormed` is fast for one-byte strings.
 *
 * A lone surrogate outside that range comes from JSON (`"\ud800"`) and is encoded as U+FFFD, as in Go.
 */
import { byteAt } from '../collections/bounded.ts';
import { isUtf8 } from 'node:buffer';

const escaped = 0xdc00;
const notAscii = /[^\0-\x7f]/;

/** Decodes bytes to a string. {@link encodeBytes} restores every byte. */
export function decodeBytes(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isUtf8(buffer)) return buffer.toString('utf8');
  let text = '';
  let decoded = 0;
  for (let i = 0; i < buffer.length;) {
    const length = sequenceLength(buffer, i);
    if (length > 0) {
      i += length;
      continue;
    }
    if (decoded < i) text += buffer.toString('utf8', decoded, i);
    text += String.fromCharCode(escaped + byteAt(buffer, i));
    decoded = ++i;
  }
  return text + buffer.toString('utf8', decoded);
}

/** Returns the length of the well-formed UTF-8 sequence at index `i` (Unicode §3.9, table 3-7). Returns 0 if there is none. */
function sequenceLength(bytes: Uint8Array, i: number): number {
  const lead = byteAt(bytes, i);
  if (lead < 0x80) return 1;
  const length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  const second = bytes[i + 1] ?? 0;
  // The second byte of a sequence reveals overlong forms, surrogates, and code points above U+10FFFF.
  if (second < (lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80)) return 0;
  if (second > (lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf)) return 0;
  for (let k = 2; k < length; k++) if (((bytes[i + k] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

/** Encodes a string as UTF-8. Restores bytes that {@link decodeBytes} preserved. */
export function encodeBytes(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text, 'utf8');
  // With the flag `u`, a character class of surrogates matches only lone surrogates. The preserved bytes are at odd indexes of the result.
  const parts = text.split(/([\udc80-\udcff]+)/u);
  return Buffer.concat(parts.map((part, index) => Buffer.from(part, index % 2 === 1 ? 'latin1' : 'utf8')));
}

/** Decodes a byte string from an HTTP parser or `node:http`, which has one character per byte (ISO-8859-1). Returns ASCII text unchanged. */
export function fromLatin1(text: string): string {
  return notAscii.test(text) ? decodeBytes(Buffer.from(text, 'latin1')) : text;
}

/** Converts a string to a byte string with one character per byte, as `node:http` writes headers. Reverses {@link fromLatin1}. */
export function toLatin1(text: string): string {
  return notAscii.test(text) ? encodeBytes(text).toString('latin1') : text;
}
