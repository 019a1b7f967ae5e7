/** An HTTP/1 client that uses a new connection for each request. It also handles WebSockets. */
import type { Socket } from 'node:net';
import { readMessage } from '../../differential/message.ts';
import type { SiteRequest } from '../step.ts';
import { codeOf } from './opened.ts';
import { responseLines } from './response-lines.ts';

/** Default response timeout, in milliseconds. */
const defaultTimeout = 8000;

/** Sends a request and reads until the connection closes. */
export function askHttp1(socket: Socket, request: SiteRequest): Promise<string[]> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let failure = '';
    const timer = setTimeout(() => socket.destroy(new Error('no end')), request.settings.timeout ?? defaultTimeout);
    socket.on('error', (error) => (failure = codeOf(error)));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('close', () => {
      clearTimeout(timer);
      resolve([
        ...linesOf(Buffer.concat(chunks), request.method),
        ...(failure === '' ? [] : [`connection: ${failure}`]),
      ]);
    });
    socket.write(bytesOf(request, 'close'));
  });
}

function linesOf(bytes: Buffer, method: string): string[] {
  const status = bytes.toString('latin1', 9, 12);
  const bodiless = method === 'HEAD' || status === '204' || status === '304' || status.startsWith('1');
  const message = readMessage(bytes, 0, bodiless ? 'bodiless' : 'response', true);
  if (message === null) return ['no response'];
  const lines = responseLines({ status, fields: message.fields, body: message.body, complete: message.complete });
  return status.startsWith('1') ? [...lines, ...linesOf(bytes.subarray(message.end), method)] : lines;
}

/** Returns the bytes of a request. */
export function bytesOf({ method, target, name, fields, settings }: SiteRequest, connection: string): Buffer {
  const { host = name, body, version = '1.1' } = settings;
  const lines = [`${method} ${target === '' ? '/' : target} HTTP/${version}`];
  if (host !== null) lines.push(`Host: ${host}`);
  for (const [field, value] of fields) lines.push(`${field}: ${value}`);
  if (body !== undefined) lines.push(`Content-Length: ${body.length}`);
  lines.push(`Connection: ${connection}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`, 'latin1');
}
