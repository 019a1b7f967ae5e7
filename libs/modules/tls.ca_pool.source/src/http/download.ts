/** Downloads certificates. */
import { checkedCertificates } from '@sluice/contracts';
import { SluiceError, httpGet } from '@sluice/base';
import type { Trust } from './trust.ts';

/** Maximum number of redirects to follow. */
const maxRedirects = 10;

/** Downloads the certificates at a URL. Rejects unless the response has status 200 and contains at least one certificate. */
export async function download(endpoint: string, trust: Trust): Promise<string[]> {
  let url = new URL(endpoint);
  const signal = AbortSignal.timeout(trust.timeout);
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const { status, location, body } = await httpGet(url, {
      signal,
      insecure: trust.insecure,
      ...(trust.ca === null ? {} : { ca: trust.ca }),
      ...(trust.serverName === null ? {} : { serverName: trust.serverName }),
    });
    if (status >= 300 && status < 400 && location !== '') url = new URL(location, url);
    else if (status === 200) return checkedCertificates(body.toString('utf8'), 'the response');
    else throw new SluiceError('ERR_FETCH', `the server returned status ${status}`);
  }
  throw new SluiceError('ERR_FETCH', `more than ${maxRedirects} redirects`);
}
