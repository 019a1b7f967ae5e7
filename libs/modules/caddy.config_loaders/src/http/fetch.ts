/** Fetches a configuration over HTTP and follows redirects. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { SecureContextOptions } from 'node:tls';
import { isSluiceError, messageOf, SluiceError } from '@sluice/base';

export interface FetchOptions {
  readonly url: string;
  readonly method: string;
  readonly headers: OutgoingHttpHeaders;
  /** Timeout for the whole request including redirects, in milliseconds. */
  readonly timeout: number;
  readonly credentials: SecureContextOptions;
}

export interface Fetched {
  readonly body: Buffer;
  readonly contentType: string | null;
}

/** Maximum size of the response body, in bytes. The limit is the same as for admin API requests. */
const bodyLimit = 64 * 1024 * 1024;

const maxRedirects = 10;

/**
 * Sends the request and follows redirects. If a redirect leads to another origin, the configured headers and client certificate are not
 * sent. A non-success status or an empty body is an error.
 */
export async function fetchBody(options: FetchOptions, signal: AbortSignal): Promise<Fetched> {
  const timeout = AbortSignal.timeout(options.timeout);
  const either = AbortSignal.any([signal, timeout]);
  let url = readUrl(options.url);
  let asked = options;
  try {
    for (let hops = 0; hops <= maxRedirects; hops++) {
      const response = await send(url, asked, either);
      const next = redirection(response, url);
      if (next === null) return await read(response, url);
      response.destroy();
      if (url.protocol === 'https:' && next.protocol === 'http:')
        throw fail(`${url.href} redirects to ${next.href}, which is not encrypted`);
      // Credentials such as a token or client certificate belong to one origin and must not be sent to another.
      if (next.origin !== url.origin) asked = { ...asked, headers: {}, credentials: withoutOwn(asked.credentials) };
      url = next;
    }
    throw fail(`${options.url}: more than ${maxRedirects} redirects`);
  } catch (error) {
    if (timeout.aborted) throw fail(`${url.href} did not respond within ${options.timeout} ms`, error);
    throw isSluiceError(error) ? error : fail(`${url.href}: ${messageOf(error)}`, error);
  }
}

/** Returns TLS options with the trusted CAs, but without the client certificate. */
function withoutOwn({ ca }: SecureContextOptions): SecureContextOptions {
  return ca === undefined ? {} : { ca };
}

async function send(url: URL, options: FetchOptions, signal: AbortSignal): Promise<IncomingMessage> {
  const { method, headers, credentials } = options;
  const common: RequestOptions = { method, headers: { Accept: '*/*', ...headers }, agent: false, signal };
  const request =
    url.protocol === 'https:' ? httpsRequest(url, { ...common, ...credentials }) : httpRequest(url, common);
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  request.on('error', () => {}); // The response reports the error too.
  return response;
}

async function read(response: IncomingMessage, { href }: URL): Promise<Fetched> {
  const { statusCode = 0, headers } = response;
  if (statusCode < 200 || statusCode > 299) {
    response.destroy();
    throw fail(`${href} responded with status ${statusCode}`);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bodyLimit) throw fail(`${href} responded with more than ${bodyLimit} bytes`);
    chunks.push(chunk);
  }
  if (size === 0) throw fail(`${href} responded with an empty body`);
  return { body: Buffer.concat(chunks, size), contentType: headers['content-type'] ?? null };
}

function redirection({ statusCode = 0, headers: { location } }: IncomingMessage, from: URL): URL | null {
  const isRedirect = [301, 302, 303, 307, 308].includes(statusCode);
  return isRedirect && location !== undefined ? readUrl(new URL(location, from).href) : null;
}

function readUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw fail(`${JSON.stringify(text)} is not an http or https URL`);
  return url;
}

function fail(message: string, cause?: unknown): SluiceError {
  return new SluiceError('ERR_CONFIG_LOADER', message, { cause });
}
