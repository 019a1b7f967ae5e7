/** Sends HTTP requests to provider APIs. */
import { request as plainRequest, type IncomingMessage } from 'node:http';
import { request as secureRequest } from 'node:https';
import { SluiceError } from '@sluice/base';
import { token, type Token } from '@sluice/registry';

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly signal: AbortSignal;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Sends an HTTP request. Rejects if there is no response. */
export type ApiTransport = (request: ApiRequest) => Promise<ApiResponse>;

/** Service token for the transport to provider APIs. Tests replace the transport. */
export const apiTransportToken: Token<ApiTransport> = token<ApiTransport>('dns_api_transport');

/** Response timeout, in milliseconds. */
const timeout = 30_000;
/** Maximum response size, in bytes. */
const maxResponseSize = 8 * 1024 * 1024;

/** Sends an HTTPS request. Connections are not reused, because requests are rare. */
export const sendRequest: ApiTransport = ({ method, url, headers, body, signal }) => {
  const { promise, resolve, reject } = Promise.withResolvers<ApiResponse>();
  const send = url.startsWith('http:') ? plainRequest : secureRequest;
  const all = { 'user-agent': 'sluice', ...headers };
  const options = {
    method,
    headers: body === null ? all : { ...all, 'content-length': String(Buffer.byteLength(body)) },
    agent: false,
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
  };
  const sent = send(url, options, (response) => {
    textOf(response).then(
      (text) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      reject,
    );
  });
  sent.on('error', reject);
  sent.end(body ?? undefined);
  return promise;
};

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size > maxResponseSize) throw new SluiceError('ERR_DNS_PROVIDER', `response exceeds ${maxResponseSize} bytes`);
  }
  return Buffer.concat(chunks).toString();
}
