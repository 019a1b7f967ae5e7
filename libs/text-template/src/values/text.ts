/**
 * Go strings are byte sequences. This package represents them as JavaScript strings, but computes lengths and slices in UTF-8 bytes.
 *
 * Bytes that are not valid UTF-8, such as half of an `é` after `slice`, are kept as lone low surrogates U+DC80 to U+DCFF. {@link
 * encodeText} converts them back to bytes.
 */

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const asciiOnly = /^[\x00-\x7f]*$/;
const strayByte = /(?<![\uD800-\uDBFF])[\uDC80-\uDCFF]/;

/** Reports whether a string is ASCII, which means that each character is one byte. */
export function isAscii(text: string): boolean {
  return asciiOnly.test(text);
}

/** Returns the length in UTF-8 bytes, as returned by the template function `len`. */
export function byteLength(text: string): number {
  const bytes = Buffer.byteLength(text);
  if (bytes === text.length || !strayByte.test(text)) return bytes;
  return encodeText(text).length;
}

/** Encodes a string as UTF-8 bytes, for output. */
export function encodeText(text: string): Uint8Array {
  if (!strayByte.test(text)) return encoder.encode(text);
  const parts: Uint8Array[] = [];
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if (!isStray(text, i)) continue;
    parts.push(encoder.encode(text.slice(start, i)), Uint8Array.of(text.charCodeAt(i) & 0xff));
    start = i + 1;
  }
  parts.push(encoder.encode(text.slice(start)));
  return Buffer.concat(parts);
}

function isStray(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  if (code < 0xdc80 || code > 0xdcff) return false;
  const before = index === 0 ? 0 : text.charCodeAt(index - 1);
  return before < 0xd800 || before > 0xdbff;
}

/** Decodes arbitrary bytes. Bytes that are not valid UTF-8 are preserved. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    return decodeLossless(bytes);
  }
}

function decodeLossless(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length;) {
    const width = sequenceWidth(bytes, i);
    if (width === 0) text += String.fromCharCode(0xdc00 | (bytes[i++] ?? 0));
    else {
      text += decoder.decode(bytes.subarray(i, i + width));
      i += width;
    }
  }
  return text;
}

/** Returns the length of the valid UTF-8 sequence at index `at` (RFC 3629 §4), or 0 if the sequence is invalid. */
function sequenceWidth(bytes: Uint8Array, at: number): number {
  const first = bytes[at];
  if (first === undefined) return 0;
  if (first < 0x80) return 1;
  const width = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  for (let i = 1; i < width; i++) {
    const byte = bytes[at + i];
    if (byte === undefined || byte < 0x80 || byte > 0xbf) return 0;
  }
  const second = bytes[at + 1] ?? 0;
  if ((first === 0xe0 && second < 0xa0) || (first === 0xed && second > 0x9f)) return 0;
  if ((first === 0xf0 && second < 0x90) || (first === 0xf4 && second > 0x8f)) return 0;
  return width;
}

/** Slices a string by byte offsets. `start` and `end` must be within the string. */
export function sliceBytes(text: string, start: number, end: number): string {
  if (isAscii(text)) return text.slice(start, end);
  return decodeText(encodeText(text).subarray(start, end));
}

/** Returns the number of code points. A byte of invalid UTF-8 counts as one code point. */
export function runeCount(text: string): number {
  if (isAscii(text)) return text.length;
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Reports whether a character represents a byte that is not valid UTF-8. */
export function isStrayByte(character: string): boolean {
  return character.length === 1 && character >= '\udc80' && character <= '\udcff';
}

/** Returns the code point of a character. As in Go, a byte of invalid UTF-8 becomes U+FFFD. */
export function runeOf(character: string): number {
  const code = character.codePointAt(0) ?? 0xfffd;
  return code >= 0xd800 && code <= 0xdfff ? 0xfffd : code;
}

const surrogate = /[\uD800-\uDFFF]/;

/** Compares two strings by their UTF-8 bytes. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  if (surrogate.test(a) || surrogate.test(b)) return Buffer.compare(encodeText(a), encodeText(b));
  return a < b ? -1 : 1;
}
