/**
 * Strings that keep bytes: text that came from the network or goes to the file system may be invalid UTF-8, and must
 * come out as it went in.
 *
 * The representation: valid UTF-8 is an ordinary string; each byte that is not a part of valid UTF-8 is kept as the lone
 * surrogate U+DC00 + byte (U+DC80 to U+DCFF), as Python's `surrogateescape` does. Such a string is not well-formed,
 * which `String.prototype.isWellFormed` finds out at once for the usual one-byte strings. A lone surrogate outside that
 * range comes from JSON (`"\ud800"`) and is written as U+FFFD, as Go does.
 */
import { isUtf8 } from 'node:buffer';

const escaped = 0xdc00;
const notAscii = /[^\0-\x7f]/;

/** Bytes as a string; every byte survives a round trip through {@link encodeBytes}. */
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
    text += String.fromCharCode(escaped + (buffer[i] as number));
    decoded = ++i;
  }
  return text + buffer.toString('utf8', decoded);
}

/** Length of the well-formed UTF-8 sequence at `i` (Unicode §3.9, table 3-7), 0 if there is none. */
function sequenceLength(bytes: Uint8Array, i: number): number {
  const lead = bytes[i] as number;
  if (lead < 0x80) return 1;
  const length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  const second = bytes[i + 1] ?? 0;
  // Over-long forms, surrogates and what is above U+10FFFF are told by the second byte.
  if (second < (lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80)) return 0;
  if (second > (lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf)) return 0;
  for (let k = 2; k < length; k++) if (((bytes[i + k] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

/** A string as bytes: UTF-8, with kept bytes put back. */
export function encodeBytes(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text, 'utf8');
  // With the flag `u` a class of surrogates matches lone ones only. Kept bytes are at the odd places of the split.
  const parts = text.split(/([\udc80-\udcff]+)/u);
  return Buffer.concat(parts.map((part, index) => Buffer.from(part, index % 2 === 1 ? 'latin1' : 'utf8')));
}

/**
 * Text as HTTP parsers and `node:http` give it, one character per byte (ISO-8859-1), as a string of the representation
 * above. ASCII is returned as it is.
 */
export function fromLatin1(text: string): string {
  return notAscii.test(text) ? decodeBytes(Buffer.from(text, 'latin1')) : text;
}

/** The reverse of {@link fromLatin1}: one character per byte, as `node:http` writes headers. */
export function toLatin1(text: string): string {
  return notAscii.test(text) ? encodeBytes(text).toString('latin1') : text;
}
