/** Certificates with private keys, parsed from PEM. */
import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { SluiceError } from '@sluice/base';

/** A certificate, optional further certificates up to the root, and its key. */
export interface KeyPair {
  readonly certificate: X509Certificate;
  /** PEM text of the whole chain, ending with a line feed. */
  readonly pem: string;
  /** Last certificate of the chain; may be the same as `certificate`. */
  readonly last: X509Certificate;
  /** `null` if only the certificate is available. */
  readonly key: KeyObject | null;
}

const block = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

export function parseKeyPair(certificates: string, key: string | Buffer | null): KeyPair {
  const parsed = (certificates.match(block) ?? []).map((pem) => new X509Certificate(pem));
  const [certificate] = parsed;
  const last = parsed.at(-1);
  if (certificate === undefined || last === undefined)
    throw new SluiceError('ERR_CERTIFICATE', 'no PEM certificate found');
  const privateKey = key === null ? null : createPrivateKey(key);
  if (privateKey !== null && !certificate.checkPrivateKey(privateKey))
    throw new SluiceError('ERR_CERTIFICATE', 'private key does not match the certificate');
  return { certificate, pem: parsed.map(pemOf).join(''), last, key: privateKey };
}

/** Returns PEM that ends with a line feed. */
function pemOf(certificate: X509Certificate): string {
  return `${certificate.toString().trimEnd()}\n`;
}

/** Reports whether `issuer` signed the certificate, by name and signature. */
export function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

/** Returns the validity period in milliseconds since 1970. */
export function validityOf(certificate: X509Certificate): { readonly from: number; readonly to: number } {
  return { from: certificate.validFromDate.getTime(), to: certificate.validToDate.getTime() };
}
