/** Validation of the `http-01` challenge (RFC 8555 §8.3). */
import { get as getPlain, type IncomingMessage } from 'node:http';
import { get as getSecure } from 'node:https';
import { responseText } from '../../response-text.ts';
import { httpChallengePath } from '../../protocol/challenge.ts';
import { problem } from '../../protocol/problem.ts';
import { connectionProblem, urlHost, type ValidationNetwork } from './network.ts';
import type { Validation } from './validation.ts';

const maxRedirects = 10;
/** Maximum response size, in bytes. Key authorizations are far smaller. */
const maxResponseSize = 4096;

/** Validates an `http-01` challenge: fetches the URL of the token. Follows redirects, and does not verify server certificates. */
export async function validateHttp(validation: Validation, network: ValidationNetwork): Promise<void> {
  const host = urlHost(validation.identifier.value);
  let url = new URL(`http://${host}:${network.httpPort}${httpChallengePath}${validation.token}`);
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const { status, location, text } = await fetchText(url, network);
    if (status >= 300 && status < 400 && location !== undefined) {
      url = redirected(location, url, network);
      continue;
    }
    if (status !== 200) throw problem('incorrectResponse', `${url.href} returned status ${status}, not 200`);
    if (text.trimEnd() !== validation.authorization)
      throw problem('incorrectResponse', `${url.href} did not return the key authorization`);
    return;
  }
  throw problem('connection', `${url.href}: too many redirects`);
}

/** Validates the target of a redirect. Allows only the default ports, so clients cannot use validation to access other services. */
function redirected(location: string, from: URL, network: ValidationNetwork): URL {
  const url = URL.parse(location, from);
  if (url === null)
    throw problem('connection', `${from.href} redirects to ${JSON.stringify(location)}, which is not a valid URL`);
  const plain = url.protocol === 'http:';
  const port = Number(url.port || (plain ? 80 : 443));
  if ((!plain && url.protocol !== 'https:') || port !== (plain ? network.httpPort : network.tlsPort))
    throw problem(
      'connection',
      `${from.href} redirects to ${url.href}, which does not use the default port of http or https`,
    );
  return url;
}

interface FetchedText {
  readonly status: number;
  readonly location: string | undefined;
  readonly text: string;
}

function fetchText(url: URL, { lookup, timeout }: ValidationNetwork): Promise<FetchedText> {
  const { promise, resolve, reject } = Promise.withResolvers<FetchedText>();
  const fail = (error: Error): void => reject(connectionProblem(url.href, error));
  const get = url.protocol === 'http:' ? getPlain : getSecure;
  const options = { lookup, agent: false, rejectUnauthorized: false, signal: AbortSignal.timeout(timeout) };
  const request = get(url, options, (response: IncomingMessage) => {
    const { statusCode = 0, headers } = response;
    const settle = (text: string): void => resolve({ status: statusCode, location: headers.location, text });
    responseText(response, maxResponseSize).then(settle, fail);
  });
  request.on('error', fail);
  return promise;
}
