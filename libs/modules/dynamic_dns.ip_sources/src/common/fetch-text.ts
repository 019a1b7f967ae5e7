/** Sends small HTTP requests over a specific IP version. */
import { request as plainRequest, type IncomingMessage } from 'node:http';
import { request as secureRequest } from 'node:https';
import { SluiceError } from '@sluice/base';

/** Maximum response size, in bytes. */
const maxSize = 256 * 1024;

export interface TextRequest {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** IP version of the connection. By default, any version is used. */
  readonly family?: 4 | 6;
  readonly signal: AbortSignal;
}

/** Returns the response body. Rejects unless the status is 200. */
export function fetchText(
  url: string,
  { method = 'GET', headers, body, family, signal }: TextRequest,
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const send = url.startsWith('https:') ? secureRequest : plainRequest;
  const all = { 'user-agent': 'sluice', ...headers };
  const sent = send(
    url,
    { method, headers: all, agent: false, signal, ...(family !== undefined && { family }) },
    (response) => {
      textOf(response).then(
        (text) =>
          response.statusCode === 200
            ? resolve(text)
            : reject(failure(`${url} returned status ${response.statusCode}`)),
        reject,
      );
    },
  );
  sent.on('error', reject);
  sent.end(body);
  return promise;
}

function failure(reason: string): SluiceError {
  return new SluiceError('ERR_DNS_PROVIDER', reason);
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size > maxSize) throw failure(`response exceeds ${maxSize} bytes`);
  }
  return Buffer.concat(chunks).toString();
}
