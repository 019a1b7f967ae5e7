/** Percent-encoding of one path segment (RFC 3986 §3.3). */
import { encodeText } from '@sluice/text-template';

const literal = /^[A-Za-z0-9\-_.~$&+=:@]$/;

/** Escapes a text for use between two slashes. Keeps the same sub-delimiters as Go. */
export function pathEscape(text: string): string {
  let escaped = '';
  for (const byte of encodeText(text)) {
    const sign = String.fromCharCode(byte);
    escaped += literal.test(sign) ? sign : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return escaped;
}
