/** URLs in the authority information access extension (RFC 5280 §4.2.2.1). */
import type { X509Certificate } from 'node:crypto';

/** Returns the URL of the first OCSP responder; empty if the certificate names none. */
export function responderOf({ infoAccess }: X509Certificate): string {
  return location(infoAccess, 'OCSP - URI:');
}

/** Returns the URL of the issuer's certificate; empty if the certificate names none. */
export function issuerLocationOf({ infoAccess }: X509Certificate): string {
  return location(infoAccess, 'CA Issuers - URI:');
}

/** Returns the location in Node's text, which has one entry per line, quoted if it contains special characters. */
function location(lines: string | undefined, method: string): string {
  const line = lines?.split('\n').find((each) => each.startsWith(method));
  if (line === undefined) return '';
  const value = line.slice(method.length);
  return value.startsWith('"') ? (JSON.parse(value) as string) : value;
}
