/** Finds the issuer certificate that an OCSP request requires. */
import { X509Certificate } from 'node:crypto';
import { SluiceError, httpGet } from '@sluice/base';
import { issuerLocationOf } from '../certificates/information-access.ts';

/** Returns the issuer certificate from the chain. If it is missing, downloads it from the URL in the certificate. Rejects if both fail. */
export async function issuerOf(chain: readonly X509Certificate[], signal: AbortSignal): Promise<X509Certificate> {
  const [leaf, ...rest] = chain as [X509Certificate, ...X509Certificate[]];
  const there = rest.find((each) => leaf.checkIssued(each));
  if (there !== undefined) return there;
  const location = issuerLocationOf(leaf);
  if (location === '') throw new SluiceError('ERR_OCSP', 'the certificate chain does not contain the issuer');
  const { status, body } = await httpGet(new URL(location), { signal });
  if (status !== 200) throw new SluiceError('ERR_OCSP', `${location} returned status ${status}`);
  const issuer = new X509Certificate(body);
  if (!leaf.checkIssued(issuer))
    throw new SluiceError('ERR_OCSP', `${location} returned the certificate of a different issuer`);
  return issuer;
}
