/** Certificate and key in one text, as managers send it. */
import { SluiceError } from '@sluice/base';
import { pemCertificates, pemPrivateKey } from '@sluice/contracts';
import type { CertificatePair } from '@sluice/tls-app';

/** Takes a text apart. Throws when the certificate or the key is not there; the text is in no message. */
export function pairIn(text: string): CertificatePair {
  const chain = pemCertificates(text).join('');
  const key = pemPrivateKey(text);
  if (chain === '') throw new SluiceError('ERR_CERTIFICATE', 'response contains no PEM certificate');
  if (key === null) throw new SluiceError('ERR_CERTIFICATE', 'response contains no PEM private key');
  return { chain, key };
}
