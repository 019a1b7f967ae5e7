/** Private keys on the curve P-256, as nearly all that servers obtain are stored, by their bytes alone. */
import type { X509Certificate } from 'node:crypto';

/** What stands before the secret, and between that and the public point. */
interface Form {
  readonly head: Buffer;
  readonly middle: Buffer;
}

/** By the label of the PEM block: RFC 5958, as this server stores them, and RFC 5915, as the reference does. */
const forms: Readonly<Record<string, Form>> = {
  'PRIVATE KEY': formOf('308187020100301306072a8648ce3d020106082a8648ce3d030107046d306b0201010420', 'a144034200'),
  'EC PRIVATE KEY': formOf('30770201010420', 'a00a06082a8648ce3d030107a144034200'),
};

const secretLength = 32;
const pointLength = 65;
const pem = /^-----BEGIN ((?:EC )?PRIVATE KEY)-----\n([A-Za-z0-9+/=\n]+)-----END \1-----\n?$/;

/**
 * Whether a key is that of a certificate; `false` where it takes OpenSSL to say it, which compares the same public points and needs ten
 * times as long. A server may have thousands of them at its start.
 */
export function isPlainlyKeyOf({ raw }: X509Certificate, key: string): boolean {
  const [, label = '', text = ''] = pem.exec(key) ?? [];
  const form = forms[label];
  if (form === undefined) return false;
  const bytes = Buffer.from(text, 'base64');
  const { head, middle } = form;
  const at = head.length + secretLength;
  const point = bytes.subarray(at + middle.length);
  return (
    point.length === pointLength &&
    bytes.subarray(0, head.length).equals(head) &&
    bytes.subarray(at, at + middle.length).equals(middle) &&
    raw.includes(point)
  );
}

function formOf(head: string, middle: string): Form {
  return { head: Buffer.from(head, 'hex'), middle: Buffer.from(middle, 'hex') };
}
