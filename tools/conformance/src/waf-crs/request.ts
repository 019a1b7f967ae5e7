/** Sends the raw bytes of a test request, like go-ftw. */
import { connect } from 'node:net';
import type { Input } from './suite.ts';

/** Timeout in milliseconds. When the timeout expires, an incomplete response is evaluated. */
const timeout = 10_000;

/** Header field with the transaction ID. Log entries also contain this ID. */
export const idField = 'X-CRS-Test';

export function bytesOf(input: Input, id: string): Buffer {
  if (input.encoded_request !== undefined)
    return withId(Buffer.from(input.encoded_request, 'base64').toString('latin1'), id);
  const {
    method = 'GET',
    uri = '/',
    version = 'HTTP/1.1',
    headers = {},
    autocomplete_headers: completes = true,
  } = input;
  const fields = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
  const valueOf = (name: string): string | undefined => fields.find(([each]) => each.toLowerCase() === name)?.[1];
  const body = bodyOf(input.data ?? '', valueOf('content-type') ?? '');
  const lines = [
    `${method} ${uri} ${version}`,
    `${idField}: ${id}`,
    ...fields.map(([name, value]) => `${name}: ${value}`),
  ];
  if (completes) {
    if (body !== '' && valueOf('content-type') === undefined)
      lines.push('Content-Type: application/x-www-form-urlencoded');
    if (valueOf('connection') === undefined) lines.push('Connection: close');
    if (body !== '' && valueOf('content-length') === undefined)
      lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** Returns the body as go-ftw sends it. Unencoded forms are encoded, and lines of multipart bodies end with CRLF. */
function bodyOf(data: string, type: string): string {
  if (type.startsWith('multipart/form-data;')) return data.replaceAll(/\r?\n/g, '\r\n');
  return data;
}

function withId(text: string, id: string): Buffer {
  const end = text.indexOf('\n') + 1;
  return Buffer.from(`${text.slice(0, end)}${idField}: ${id}\r\n${text.slice(end)}`, 'latin1');
}

/** Sends a request. Returns the response status, or 0 if there is no response. */
export function send(port: number, bytes: Buffer): Promise<number> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const finish = (): void => {
      socket.destroy();
      resolve(Number(/^HTTP\/\d\.\d (\d{3})/.exec(text)?.[1] ?? 0));
    };
    socket.setTimeout(timeout, finish);
    socket.on('error', finish).on('close', finish);
    socket.on('data', (piece: Buffer) => {
      text += piece.toString('latin1');
      if (isComplete(text)) finish();
    });
  });
}

/** Reports whether a response on a keep-alive connection is complete. */
function isComplete(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const head = text.slice(0, end).toLowerCase();
  const [, length] = /\r\ncontent-length: (\d+)/.exec(head) ?? [];
  if (length !== undefined) return text.length >= end + 4 + Number(length);
  return head.includes('chunked') ? text.endsWith('0\r\n\r\n') : / (?:204|304) /.test(head.slice(0, 16));
}
