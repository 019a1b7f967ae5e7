/** HTTP transport between the ACME client and server. Tests can connect the client to the server without a network. */
import { request as requestPlain, type IncomingMessage } from 'node:http';
import { Agent, request as requestSecure } from 'node:https';
import { AcmeError } from '../protocol/acme-error.ts';
import { responseText } from '../response-text.ts';

export interface ClientRequest {
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly url: string;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

export interface ClientResponse {
  readonly status: number;
  /** Response headers with lowercase names. Multiple values of one header are joined with commas. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** Sends HTTP requests. The returned promise rejects if no response arrives. */
export interface AcmeTransport {
  send(request: ClientRequest): Promise<ClientResponse>;
  /** Closes idle connections. */
  close(): void;
}

export interface HttpsTransportOptions {
  /** PEM root certificates to trust instead of Node.js's default roots. */
  readonly roots?: readonly string[];
  /** URL of an HTTP proxy; see `http.Agent`. */
  readonly proxy?: string;
  /** Request timeout in milliseconds. Default: 30 s. */
  readonly timeout?: number;
  /** Value of the `User-Agent` header, which RFC 8555 §6.1 requires. Default: `sluice`. */
  readonly userAgent?: string;
}

/** Maximum response size, in bytes. */
const maxResponseSize = 1024 * 1024;

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
      responseText(response, maxResponseSize).then(settle, fail);
    };
    // RFC 8555 §6.1 requires HTTPS. Plain HTTP is supported for local servers behind a TLS terminator.
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
