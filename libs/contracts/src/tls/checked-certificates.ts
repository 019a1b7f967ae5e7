/** Validates certificates when they are loaded, so that errors occur before the first handshake. */
import { X509Certificate } from 'node:crypto';
import { SluiceError, messageOf } from '@sluice/base';
import { pemCertificates } from './pem.ts';

const certificateBegin = /-----BEGIN CERTIFICATE-----/g;

/**
 * Returns the certificates in a PEM string. Throws if the text is truncated, contains no certificate, or contains a certificate that cannot
 * be parsed. The error message contains `source`.
 */
export function checkedCertificates(text: string, source: string): string[] {
  const certificates = pemCertificates(text);
  if (certificates.length === 0) throw new SluiceError('ERR_CERTIFICATE', `${source}: contains no PEM certificate`);
  if ((text.match(certificateBegin)?.length ?? 0) > certificates.length)
    throw new SluiceError('ERR_CERTIFICATE', `${source}: certificate ${certificates.length + 1} is truncated`);
  return certificates.map((pem, index) => {
    try {
      return new X509Certificate(pem).toString();
    } catch (error) {
      throw new SluiceError('ERR_CERTIFICATE', `${source}: cannot read certificate ${index + 1}: ${messageOf(error)}`, {
        cause: error,
      });
    }
  });
}
