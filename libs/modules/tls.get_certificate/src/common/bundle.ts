/** Certificate and key in one text, as managers answer. */
import { pemCertificates, pemPrivateKey } from '@sluice/contracts';
import type { CertificatePair } from '@sluice/tls-app';

/** Takes a text apart. Throws when the certificate or the key is not there; the text is in no message. */
export function pairIn(text: string): CertificatePair {
  const chain = pemCertificates(text).join('');
  const key = pemPrivateKey(text);
  if (chain === '') throw new Error('the answer has no PEM certificate in it');
  if (key === null) throw new Error('the answer has no PEM private key in it');
  return { chain, key };
}
