/** Where a certificate says that more is to be had (authority information access, RFC 5280 §4.2.2.1). */
import type { X509Certificate } from 'node:crypto';

/** URL of the first OCSP responder, or empty. */
export function responderOf({ infoAccess }: X509Certificate): string {
  return location(infoAccess, 'OCSP - URI:');
}

/** URL of the certificate of the issuer, or empty. */
export function issuerLocationOf({ infoAccess }: X509Certificate): string {
  return location(infoAccess, 'CA Issuers - URI:');
}

/** Node writes one to a line, in quotes where there are odd signs in it. */
function location(lines: string | undefined, method: string): string {
  const line = lines?.split('\n').find((each) => each.startsWith(method));
  if (line === undefined) return '';
  const value = line.slice(method.length);
  return value.startsWith('"') ? (JSON.parse(value) as string) : value;
}
