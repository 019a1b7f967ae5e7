/** Extracts certificates. */
import { SluiceError } from '@sluice/base';
import { pemCertificates } from '@sluice/contracts';

/** Returns the certificates in a PEM string. Throws if there are none. The error message contains `source`. */
export function certificatesIn(text: string, source: string): string[] {
  const certificates = pemCertificates(text);
  if (certificates.length === 0) throw new SluiceError('ERR_CERTIFICATE', `${source}: no PEM certificate found`);
  return certificates;
}
