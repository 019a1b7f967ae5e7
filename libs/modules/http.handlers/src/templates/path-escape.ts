/** Percent-encodes a path segment (RFC 3986 §3.3). */
import { encodeText } from '@sluice/text-template';

const literal = /^[A-Za-z0-9\-_.~$&+=:@]$/;

/** Escapes a string for use as one path segment. Leaves the same sub-delimiters unescaped as Go. */
export function pathEscape(text: string): string {
  let escaped = '';
  for (const byte of encodeText(text)) {
    const sign = String.fromCharCode(byte);
    escaped += literal.test(sign) ? sign : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return escaped;
}
