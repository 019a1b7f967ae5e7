/** Asks a server as a case says, and keeps of the response what both servers must say alike. */
import { connect } from 'node:net';
import { request as requestTls } from 'node:https';
import { request as requestPlain } from 'node:http';
import type { CaseRequest } from './cases.ts';

/** What is compared. */
export interface Seen {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Fields that are compared; those beginning with `x-` are too. */
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

/** Sends a request on a connection of its own. */
export function ask(port: number, { method, target, headers, body, port: kind }: CaseRequest): Promise<Seen> {
  const options = {
    host: '127.0.0.1',
    port,
    path: target,
    method,
    headers: { Host: `127.0.0.1:${port}`, ...headers },
    agent: false as const,
  };
  return new Promise((resolve, reject) => {
    const outgoing =
      kind === 'tls'
        ? requestTls({ ...options, rejectUnauthorized: false, servername: headers['Host'] ?? 'localhost' })
        : requestPlain(options);
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
    outgoing.on('upgrade', (response, socket, head) => {
      let text = head.toString();
      socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      socket.on('end', () => {
        socket.destroy();
        resolve(seenOf(response.statusCode ?? 0, response.headers, text));
      });
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // A connection that is closed without a response is one of the things that are compared.
      if (error.code === 'ECONNRESET') resolve({ status: 0, headers: {}, body: '' });
      else reject(error);
    });
    outgoing.end(body === 0 ? undefined : 'x'.repeat(body));
  });
}

function seenOf(status: number, headers: Readonly<Record<string, string | string[] | undefined>>, body: string): Seen {
  // Pages that nginx makes itself have no counterpart: an error or redirect without a body of its own is empty here.
  const generated = body.includes('<center>nginx');
  const kept = Object.entries(headers).filter(
    ([name]) =>
      (compared.has(name) || name.startsWith('x-')) && !(name === 'content-type' && (generated || body === '')),
  );
  return {
    status,
    headers: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
    body: generated ? '' : body,
  };
}

/** Waits until something listens at a port. */
export async function listening(port: number, patience = 5_000): Promise<void> {
  const end = performance.now() + patience;
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
