/** Small downloads by HTTP: certificates, permissions and the like. */
import { request as requestPlain, type IncomingMessage } from 'node:http';
import { request as requestSecure } from 'node:https';
import { finished } from 'node:stream/promises';

/** How {@link httpGet} asks. */
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

/** An answer, whatever its status. */
export interface HttpGetAnswer {
  readonly status: number;
  /** The field `Location`, or empty. Redirects are not followed. */
  readonly location: string;
  readonly body: Buffer;
}

const oneMebibyte = 1024 * 1024;

/** Sends a GET on a connection of its own. Rejects when there is no answer, and when it is too long. */
export async function httpGet(url: URL, options: HttpGetOptions = {}): Promise<HttpGetAnswer> {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new TypeError(`${url.href} is no http or https URL`);
  const response = await send(url, options);
  const maxBytes = options.maxBytes ?? oneMebibyte;
  const chunks: Buffer[] = [];
  let size = 0;
  response.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBytes) response.destroy(new Error(`the answer has more than ${maxBytes} bytes`));
    else chunks.push(chunk);
  });
  await finished(response);
  return {
    status: response.statusCode ?? 0,
    location: response.headers.location ?? '',
    body: Buffer.concat(chunks),
  };
}

function send(url: URL, { signal, socketPath, ca, serverName, insecure }: HttpGetOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestSecure : requestPlain;
    const outgoing = request(url, {
      agent: false,
      headers: { 'User-Agent': 'Sluice' },
      ...(signal === undefined ? {} : { signal }),
      ...(socketPath === undefined ? {} : { socketPath }),
      ...(ca === undefined ? {} : { ca: [...ca] }),
      ...(serverName === undefined ? {} : { servername: serverName }),
      ...(insecure === true ? { rejectUnauthorized: false } : {}),
    });
    outgoing.once('response', resolve);
    outgoing.once('error', reject);
    outgoing.end();
  });
}
