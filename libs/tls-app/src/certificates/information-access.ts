/** Reads URLs from the authority information access extension of certificates (RFC 5280 §4.2.2.1). */
import type { X509Certificate } from 'node:crypto';

/** Returns the URL of the first OCSP responder. Empty if the certificate contains none. */
export function responderOf({ infoAccess }: X509Certificate): string {
  return location(infoAccess, 'OCSP - URI:');
}

/** Returns the URL of the issuer's certificate. Empty if the certificate contains none. */
export function issuerLocationOf({ infoAccess }: X509Certificate): string {
  return location(infoAccess, 'CA Issuers - URI:');
}

/** Finds a URL in the text that Node returns for the extension. Each line is one entry, quoted if it contains special characters. */
function location(lines: string | undefined, method: string): string {
  const line = lines?.split('\n').find((each) => each.startsWith(method));
  if (line === undefined) return '';
  const value = line.slice(method.length);
  return value.startsWith('"') ? (JSON.parse(value) as string) : value;
}
