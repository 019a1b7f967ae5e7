/** Certificates with their private key, as they are read from PEM. */
import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { SluiceError } from '@sluice/base';

/** A certificate that may be followed by those between it and the root, and its key. */
export interface KeyPair {
  readonly certificate: X509Certificate;
  /** The certificate and those that follow it; PEM that ends with a line feed. */
  readonly pem: string;
  /** The certificate that ends the chain; the same as `certificate` when it is alone. */
  readonly last: X509Certificate;
  /** `null` when only the certificate is there. */
  readonly key: KeyObject | null;
}

const block = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Reads a key pair; an error if there is no certificate, something is not readable, or they don't belong together. */
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

/** PEM that ends with a line feed. */
function pemOf(certificate: X509Certificate): string {
  return `${certificate.toString().trimEnd()}\n`;
}

/** Whether `issuer` signed the certificate, by name and by signature. */
export function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

/** Milliseconds since 1970 between which the certificate is valid. */
export function validityOf(certificate: X509Certificate): { readonly from: number; readonly to: number } {
  return { from: certificate.validFromDate.getTime(), to: certificate.validToDate.getTime() };
}
