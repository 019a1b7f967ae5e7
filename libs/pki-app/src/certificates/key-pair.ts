/** Certificates with private keys, parsed from PEM. */
import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { SluiceError } from '@sluice/base';

/** A certificate with its private key, and optional further certificates up to the root. */
export interface KeyPair {
  readonly certificate: X509Certificate;
  /** Entire certificate chain in PEM format, ending with a line feed. */
  readonly pem: string;
  /** Last certificate of the chain. It may be the same object as `certificate`. */
  readonly last: X509Certificate;
  /** Private key; `null` if only the certificate is available. */
  readonly key: KeyObject | null;
}

const block = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

export function parseKeyPair(certificates: string, key: string | Buffer | null): KeyPair {
  const parsed = (certificates.match(block) ?? []).map((pem) => new X509Certificate(pem));
  const [certificate] = parsed;
  const last = parsed.at(-1);
  if (certificate === undefined || last === undefined)
    throw new SluiceError('ERR_CERTIFICATE', 'no PEM certificate found in the certificate file');
  const privateKey = key === null ? null : createPrivateKey(key);
  if (privateKey !== null && !certificate.checkPrivateKey(privateKey))
    throw new SluiceError('ERR_CERTIFICATE', 'the private key does not match the certificate');
  return { certificate, pem: parsed.map(pemOf).join(''), last, key: privateKey };
}

/** Returns a certificate in PEM format, ending with a line feed. */
function pemOf(certificate: X509Certificate): string {
  return `${certificate.toString().trimEnd()}\n`;
}

/** Reports whether `issuer` issued a certificate. Checks the issuer's name and the signature. */
export function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

/** Returns the validity period of a certificate, in milliseconds since 1970. */
export function validityOf(certificate: X509Certificate): { readonly from: number; readonly to: number } {
  return { from: certificate.validFromDate.getTime(), to: certificate.validToDate.getTime() };
}
