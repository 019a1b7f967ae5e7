/** Questions to responders and their responses. Loaded when there is a certificate to ask about: the libraries are large. */
import type { X509Certificate } from 'node:crypto';
import { SluiceError, httpPost } from '@sluice/base';
import { certificateId, questionAbout } from './request.ts';

export { endOf, readOcspResponse } from './response.ts';

/** Many times what responders send, in bytes. */
const maxResponse = 64 * 1024;

/** Asks a responder about a certificate; gives the DER of its response, unread. */
export async function ask(
  responder: string,
  leaf: X509Certificate,
  issuer: X509Certificate,
  signal: AbortSignal,
): Promise<Buffer> {
  const question = { type: 'application/ocsp-request', bytes: questionAbout(certificateId(leaf, issuer)) };
  const { status, body } = await httpPost(new URL(responder), question, { signal, maxBytes: maxResponse });
  if (status !== 200) throw new SluiceError('ERR_OCSP', `responder returned status ${status}`);
  return body;
}
