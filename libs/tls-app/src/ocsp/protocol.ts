/** OCSP requests and responses over HTTP. This file is loaded on demand, because the ASN.1 libraries are large. */
import type { X509Certificate } from 'node:crypto';
import { SluiceError, httpPost } from '@sluice/base';
import { certificateId, questionAbout } from './request.ts';

export { endOf, readOcspResponse } from './response.ts';

/** Maximum size of an OCSP response, in bytes. Actual responses are much smaller. */
const maxResponse = 64 * 1024;

/** Sends an OCSP request to a responder. Returns the response as unparsed DER. */
export async function ask(
  responder: string,
  leaf: X509Certificate,
  issuer: X509Certificate,
  signal: AbortSignal,
): Promise<Buffer> {
  const question = { type: 'application/ocsp-request', bytes: questionAbout(certificateId(leaf, issuer)) };
  const { status, body } = await httpPost(new URL(responder), question, { signal, maxBytes: maxResponse });
  if (status !== 200) throw new SluiceError('ERR_OCSP', `the OCSP responder returned status ${status}`);
  return body;
}
