/** ARI certificate identifiers (RFC 9773 §4.1). */
import { X509Certificate } from 'node:crypto';

/**
 * Returns the ARI identifier of the first certificate in a PEM string. The identifier consists of the authority key identifier and the
 * serial number. Returns `null` if the certificate has no authority key identifier.
 */
export async function certificateId(pem: string): Promise<string | null> {
  // Import the library lazily: it is large, and only renewals need it.
  const x509 = await import('@peculiar/x509');
  const { raw, serialNumber } = new X509Certificate(pem);
  const issuerKey = new x509.X509Certificate(raw).getExtension(x509.AuthorityKeyIdentifierExtension)?.keyId;
  if (issuerKey === undefined) return null;
  const digits = serialNumber.length % 2 === 0 ? serialNumber : `0${serialNumber}`;
  const bytes = Buffer.from(digits, 'hex');
  // DER requires a leading zero if the first bit of a positive integer is set.
  const serial = (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes;
  return `${Buffer.from(issuerKey, 'hex').toString('base64url')}.${serial.toString('base64url')}`;
}
