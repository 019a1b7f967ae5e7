/** Sends the request of a case. Extracts the parts of the response that must be equal for nginx and Sluice. */
import { connect, type Socket } from 'node:net';
import { request } from 'node:http';
import { askHttp2 } from './ask-http2.ts';
import type { CaseRequest } from './cases.ts';
import { open, type Place } from './connection.ts';

/** Parts of a response that are compared. */
export interface Seen {
  /** Subject alternative names of the server certificate. */
  readonly certificate?: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Header fields to compare, in addition to those that begin with `x-`. */
const compared = new Set([
  'location',
  'content-type',
  'cache-control',
  'www-authenticate',
  'content-encoding',
  'set-cookie',
  'content-range',
  'upgrade',
]);

/** Sends a request on a new connection. The status is -1 if the TLS handshake is rejected. */
export async function ask(place: Place, wanted: CaseRequest): Promise<Seen> {
  const connection = await open(place, wanted);
  if (connection === null) return { status: -1, headers: {}, body: '' };
  const { names, socket } = connection;
  const seen = wanted.http2 ? await overHttp2(socket, wanted) : await overHttp1(socket, place.port, wanted);
  return names === '' ? seen : { certificate: names, ...seen };
}

async function overHttp2(socket: Socket, wanted: CaseRequest): Promise<Seen> {
  const { status, headers, trailers, body } = await askHttp2(socket, wanted);
  const named = Object.entries(trailers).map(([name, value]) => [`x-trailer-${name}`, value]);
  return seenOf(status, { ...headers, ...(Object.fromEntries(named) as typeof trailers) }, body.toString());
}

function overHttp1(socket: Socket, port: number, { method, target, headers, body }: CaseRequest): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const outgoing = request({
      createConnection: () => socket,
      path: target,
      method,
      headers: { Host: `127.0.0.1:${port}`, ...headers, Connection: headers['Connection'] ?? 'close' },
    });
    outgoing.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const encoded = response.headers['content-encoding'] !== undefined;
        const text = encoded ? '' : Buffer.concat(chunks).toString();
        resolve(seenOf(response.statusCode ?? 0, response.headers, text));
      });
    });
    outgoing.on('upgrade', (response, upgraded, head) => {
      let text = head.toString();
      upgraded.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      upgraded.on('end', () => {
        upgraded.destroy();
        resolve(seenOf(response.statusCode ?? 0, response.headers, text));
      });
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // A connection that is closed without a response is a valid result.
      if (error.code === 'ECONNRESET') resolve({ status: 0, headers: {}, body: '' });
      else reject(error);
    });
    outgoing.end(body === 0 ? undefined : 'x'.repeat(body));
  });
}

function seenOf(status: number, headers: Readonly<Record<string, string | string[] | undefined>>, body: string): Seen {
  // nginx generates error and redirect pages. The corresponding responses of Sluice are empty.
  const generated = body.includes('<center>nginx');
  const kept = Object.entries(headers).filter(
    ([name]) =>
      (compared.has(name) || /^(?:x|grpc)-/.test(name)) && !(name === 'content-type' && (generated || body === '')),
  );
  return {
    status,
    headers: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
    body: generated ? '' : body,
  };
}

/** Waits until a port accepts connections. */
export async function listening(port: number, timeout = 5_000): Promise<void> {
  const end = performance.now() + timeout;
  for (;;) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.on('connect', () => {
        socket.destroy();
        resolve(true);
      });
      socket.on('error', () => resolve(false));
    });
    if (open) return;
    if (performance.now() > end) throw new Error(`nothing listens at port ${port}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
