/** Small exchanges by HTTP: certificates, permissions and the like. */
import { request as requestPlain, type IncomingMessage } from 'node:http';
import { SluiceError } from '../errors.ts';
import { request as requestSecure } from 'node:https';
import { finished } from 'node:stream/promises';

/** How {@link httpGet} and {@link httpPost} ask. */
export interface HttpGetOptions {
  /** Ends the wait: the promise then rejects. */
  readonly signal?: AbortSignal;
  /** Most bytes of a body. Default 1 MiB. */
  readonly maxBytes?: number;
  /** The Unix socket to ask on, in place of the address of the URL. */
  readonly socketPath?: string;
  /** PEM texts of the authorities to trust in place of those of the system. */
  readonly ca?: readonly string[];
  /** The name that the certificate of the server has to be for, in place of that in the URL. */
  readonly serverName?: string;
  /** Whether any certificate will do. */
  readonly insecure?: boolean;
}

/** A response, whatever its status. */
export interface HttpGetResponse {
  readonly status: number;
  /** The field `Location`, or empty. Redirects are not followed. */
  readonly location: string;
  readonly body: Buffer;
}

/** What {@link httpPost} sends. */
export interface HttpPostBody {
  /** Media type. */
  readonly type: string;
  readonly bytes: Uint8Array;
}

const oneMebibyte = 1024 * 1024;

/** Sends a GET on a connection of its own. Rejects when there is no response, and when it is too long. */
export function httpGet(url: URL, options: HttpGetOptions = {}): Promise<HttpGetResponse> {
  return ask(url, null, options);
}

/** Sends a POST in the same way. */
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
