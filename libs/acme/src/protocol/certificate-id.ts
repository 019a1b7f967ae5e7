/** Names of certificates in ARI (RFC 9773 §4.1). */
import { X509Certificate } from 'node:crypto';

/**
 * The identifier of a certificate, the first of a PEM text: its authority key identifier and serial number; `null` if it
 * has no authority key identifier.
 */
export async function certificateId(pem: string): Promise<string | null> {
  // Loaded when a certificate is renewed: the library is large.
  const x509 = await import('@peculiar/x509');
  const { raw, serialNumber } = new X509Certificate(pem);
  const issuerKey = new x509.X509Certificate(raw).getExtension(x509.AuthorityKeyIdentifierExtension)?.keyId;
  if (issuerKey === undefined) return null;
  const digits = serialNumber.length % 2 === 0 ? serialNumber : `0${serialNumber}`;
  const bytes = Buffer.from(digits, 'hex');
  // DER has a zero before a number whose first bit is set.
  const serial = (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes;
  return `${Buffer.from(issuerKey, 'hex').toString('base64url')}.${serial.toString('base64url')}`;
}
