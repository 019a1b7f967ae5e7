/** Takes certificates out of what loaders have read. */
import { SluiceError } from '@sluice/base';
import { pemCertificates } from '@sluice/contracts';

/** The certificates in a text. Throws when there is none; `source` is for the message. */
export function certificatesIn(text: string, source: string): string[] {
  const certificates = pemCertificates(text);
  if (certificates.length === 0) throw new SluiceError('ERR_CERTIFICATE', `${source}: no PEM certificate found`);
  return certificates;
}
