/** PEM bundle with a certificate and its key, as returned by certificate managers. */
import { SluiceError } from '@sluice/base';
import { pemCertificates, pemPrivateKey } from '@sluice/contracts';
import type { CertificatePair } from '@sluice/tls-app';

/** Splits a PEM bundle. Throws if the certificate or the key is missing. Error messages never contain the bundle's content. */
export function pairIn(text: string): CertificatePair {
  const chain = pemCertificates(text).join('');
  const key = pemPrivateKey(text);
  if (chain === '') throw new SluiceError('ERR_CERTIFICATE', 'response contains no PEM certificate');
  if (key === null) throw new SluiceError('ERR_CERTIFICATE', 'response contains no PEM private key');
  return { chain, key };
}
