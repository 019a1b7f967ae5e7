/** Fast check that compares bytes to determine whether a P-256 key matches a certificate. Most obtained certificates use P-256 keys. */
import type { X509Certificate } from 'node:crypto';

/** Encoding of a private key: the bytes before the secret, and the bytes between the secret and the public point. */
interface Form {
  readonly head: Buffer;
  readonly middle: Buffer;
}

/** Private key encodings by PEM label. Sluice stores keys as specified in RFC 5958, and Caddy as specified in RFC 5915. */
const forms: Readonly<Record<string, Form>> = {
  'PRIVATE KEY': formOf('308187020100301306072a8648ce3d020106082a8648ce3d030107046d306b0201010420', 'a144034200'),
  'EC PRIVATE KEY': formOf('30770201010420', 'a00a06082a8648ce3d030107a144034200'),
};

const secretLength = 32;
const pointLength = 65;
const pem = /^-----BEGIN ((?:EC )?PRIVATE KEY)-----\n([A-Za-z0-9+/=\n]+)-----END \1-----\n?$/;

/**
 * Reports whether a private key matches a certificate, by comparing bytes. Returns false if only OpenSSL can decide. OpenSSL takes ten
 * times as long, and a server may load thousands of keys at startup.
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
