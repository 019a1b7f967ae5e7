/** A minimal HTTP client for small responses, such as certificates and results of permission checks. */
import { request as requestPlain, type IncomingMessage } from 'node:http';
import { SluiceError } from '../errors.ts';
import { request as requestSecure } from 'node:https';
import { finished } from 'node:stream/promises';

export interface HttpGetOptions {
  /** Aborts the request. The promise then rejects. */
  readonly signal?: AbortSignal;
  /** Maximum size of the response body, in bytes. Default: 1 MiB. */
  readonly maxBytes?: number;
  /** Unix socket to connect to instead of the URL host. */
  readonly socketPath?: string;
  /** PEM certificates of trusted authorities. If set, they replace the system's trusted certificates. */
  readonly ca?: readonly string[];
  /** Name that the server certificate must contain. Default: the host of the URL. */
  readonly serverName?: string;
  /** Disables certificate verification. */
  readonly insecure?: boolean;
}

export interface HttpGetResponse {
  readonly status: number;
  /** Value of the `Location` header, or an empty string. The client does not follow redirects. */
  readonly location: string;
  readonly body: Buffer;
}

export interface HttpPostBody {
  readonly type: string;
  readonly bytes: Uint8Array;
}

const oneMebibyte = 1024 * 1024;

/** Sends a GET request on a new connection. Rejects if no response arrives or the response is too large. */
export function httpGet(url: URL, options: HttpGetOptions = {}): Promise<HttpGetResponse> {
  return ask(url, null, options);
}

/** Sends a POST request on a new connection. Rejects if no response arrives or the response is too large. */
export function httpPost(url: URL, body: HttpPostBody, options: HttpGetOptions = {}): Promise<HttpGetResponse> {
  return ask(url, body, options);
}

async function ask(url: URL, posted: HttpPostBody | null, options: HttpGetOptions): Promise<HttpGetResponse> {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new SluiceError('ERR_FETCH', `${url.href} is not an http or https URL`);
  const response = await send(url, posted, options);
  const maxBytes = options.maxBytes ?? oneMebibyte;
  const chunks: Buffer[] = [];
  let size = 0;
  response.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBytes)
      response.destroy(new SluiceError('ERR_FETCH', `the response is larger than ${maxBytes} bytes`));
    else chunks.push(chunk);
  });
  await finished(response);
  return {
    status: response.statusCode ?? 0,
    location: response.headers.location ?? '',
    body: Buffer.concat(chunks),
  };
}

function send(
  url: URL,
  posted: HttpPostBody | null,
  { signal, socketPath, ca, serverName, insecure }: HttpGetOptions,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestSecure : requestPlain;
    const outgoing = request(url, {
      method: posted === null ? 'GET' : 'POST',
      agent: false,
      headers: {
        'User-Agent': 'Sluice',
        ...(posted === null ? {} : { 'Content-Type': posted.type, 'Content-Length': posted.bytes.length }),
      },
      ...(signal === undefined ? {} : { signal }),
      ...(socketPath === undefined ? {} : { socketPath }),
      ...(ca === undefined ? {} : { ca: [...ca] }),
      ...(serverName === undefined ? {} : { servername: serverName }),
      ...(insecure === true ? { rejectUnauthorized: false } : {}),
    });
    outgoing.once('response', resolve);
    outgoing.once('error', reject);
    outgoing.end(posted?.bytes);
  });
}
