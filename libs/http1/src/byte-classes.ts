/** Lookup tables for parsing HTTP/1.1 heads. They classify each byte with a single lookup. */
import { isTokenCode } from '@sluice/base';

export const tab = 0x09;
export const lineFeed = 0x0a;
export const carriageReturn = 0x0d;
export const space = 0x20;
export const colon = 0x3a;
export const question = 0x3f;
export const slash = 0x2f;
const deleteByte = 0x7f;

/** Lowercase form of each byte that is allowed in a field name (RFC 9110 §5.6.2); 0 for all other bytes. */
export const lowerNameByte: Uint8Array = table((byte) => (isTokenCode(byte) ? lowerByte(byte) : 0));

/** Class of ASCII space and control characters. They end the request target. */
export const targetEnd = 0;
export const targetPlain = 1;
/** Class of `%`, which starts an escape sequence. Escape sequences in a path must be complete. */
export const targetPercent = 2;
/** Class of ASCII characters that must be escaped in a path (RFC 3986 §3.3). */
export const targetEscape = 4;
/** Class of non-ASCII bytes. They are escaped in a path and unchanged in a query. */
export const targetHigh = 8;

/** Class of each byte in a request target. The target ends at the first byte of class {@link targetEnd}. */
export const targetByte: Uint8Array = table((byte) => {
  if (byte <= space || byte === deleteByte) return targetEnd;
  if (byte >= 0x80) return targetHigh;
  if (byte === 0x25) return targetPercent;
  return '"<>\\^`{}|#'.includes(String.fromCharCode(byte)) ? targetEscape : targetPlain;
});
/** Class of each byte in a field value (RFC 9110 §5.5): 0 for ordinary bytes, {@link valueEnd} or {@link valueHigh}. */
export const valueEnd = 1;
/** Non-ASCII bytes. */
const valueHigh = 2;
export const valueByte: Uint8Array = table((byte) => {
  if (byte < space ? byte !== tab : byte === deleteByte) return valueEnd;
  return byte < 0x80 ? 0 : valueHigh;
});

/**
 * 1 for bytes that are allowed in an authority, 0 for all others. Allowed are unreserved, sub-delims, `%`, `:` and brackets (RFC 3986
 * §3.2.2).
 */
export const hostByte: Uint8Array = table((byte) => {
  const character = String.fromCharCode(byte);
  return byte < 0x80 && (isAlphanumeric(byte) || "-._~!$&'()*+,;=%:[]".includes(character)) ? 1 : 0;
});

/** Value of each hexadecimal digit; 255 for all other bytes. */
export const hexByte: Uint8Array = table((byte) => {
  const lower = byte | 0x20;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : 255;
});

function table(of: (byte: number) => number): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => of(byte));
}

function lowerByte(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
}

function isAlphanumeric(byte: number): boolean {
  const lower = byte | 0x20;
  return (byte >= 0x30 && byte <= 0x39) || (lower >= 0x61 && lower <= 0x7a);
}
