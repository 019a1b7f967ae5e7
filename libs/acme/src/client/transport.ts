/** How a client reaches its server; a test may connect the two directly. */
import { request as requestPlain, type IncomingMessage } from 'node:http';
import { Agent, request as requestSecure } from 'node:https';
import { AcmeError } from '../protocol/acme-error.ts';
import { responseText } from '../response-text.ts';

/** A request of a client. */
export interface ClientRequest {
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly url: string;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/** What came back. */
export interface ClientResponse {
  readonly status: number;
  /** Names in lower case; several lines of a field are joined with commas. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** Sends requests. Rejects where no response comes. */
export interface AcmeTransport {
  send(request: ClientRequest): Promise<ClientResponse>;
  /** Closes connections that wait to be used again. */
  close(): void;
}

/** How {@link HttpsTransport} connects. */
export interface HttpsTransportOptions {
  /** PEM of the roots that are trusted, in place of those of Node. */
  readonly roots?: readonly string[];
  /** URL of a proxy; see `http.Agent`. */
  readonly proxy?: string;
  /** For one request, in milliseconds. Default 30 s. */
  readonly timeout?: number;
  /** Default `sluice`. RFC 8555 §6.1 wants one. */
  readonly userAgent?: string;
}

/** Longest response that is read, in bytes. */
const longestResponse = 1024 * 1024;

/** Sends over the network. */
export class HttpsTransport implements AcmeTransport {
  readonly #agent: Agent;
  readonly #timeout: number;
  readonly #userAgent: string;

  constructor({ roots, proxy, timeout = 30_000, userAgent = 'sluice' }: HttpsTransportOptions = {}) {
    this.#agent = new Agent({
      keepAlive: true,
      ...(roots !== undefined && { ca: [...roots] }),
      ...(proxy !== undefined && { proxyEnv: { HTTPS_PROXY: proxy, HTTP_PROXY: proxy } }),
    });
    this.#timeout = timeout;
    this.#userAgent = userAgent;
  }

  send({ method, url, contentType, headers, body, signal }: ClientRequest): Promise<ClientResponse> {
    const { promise, resolve, reject } = Promise.withResolvers<ClientResponse>();
    const fail = (error: Error): void =>
      reject(new AcmeError('ERR_ACME_AUTHORITY', `${method} ${url}: ${textOf(error)}`, { cause: error }));
    const options = {
      method,
      headers: {
        'user-agent': this.#userAgent,
        ...(contentType !== undefined && { 'content-type': contentType }),
        ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
        ...headers,
      },
      signal: AbortSignal.any([signal, AbortSignal.timeout(this.#timeout)]),
    };
    const receive = (response: IncomingMessage): void => {
      const settle = (body: string): void =>
        resolve({ status: response.statusCode ?? 0, headers: joined(response), body });
      responseText(response, longestResponse).then(settle, fail);
    };
    // Plain HTTP is for servers on this machine that others put TLS before; RFC 8555 §6.1 wants https.
    const request = url.startsWith('http:')
      ? requestPlain(url, options, receive)
      : requestSecure(url, { ...options, agent: this.#agent }, receive);
    request.on('error', fail);
    request.end(body);
    return promise;
  }

  close(): void {
    this.#agent.destroy();
  }
}

function joined({ headersDistinct }: IncomingMessage): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(headersDistinct).map(([name, values]) => [name, values?.join(', ')]));
}

function textOf(error: Error): string {
  if (error instanceof AggregateError) return error.errors.map((each: unknown) => (each as Error).message).join(', ');
  return error.message;
}
