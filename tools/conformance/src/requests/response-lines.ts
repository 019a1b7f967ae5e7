/** Converts responses to comparable text. Decodes content codings and removes fields that always vary. */
import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { readMessage, type Message } from '../differential/message.ts';
import { bytesOf, type Request } from './request.ts';

/** Text lines that describe a response. */
export type ResponseLines = readonly string[];

/** Response timeout in milliseconds. */
const timeout = 8000;

/** Header fields that the comparison ignores. An empty Content-Type, which only Caddy sends, is also ignored. */
const ignored: ReadonlySet<string> = new Set(['date', 'server', 'connection', 'content-length', 'transfer-encoding']);

const decoders: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

/** Sends a request on a new connection, optionally followed by additional bytes. Reads until the connection closes. */
export function ask(port: number, request: Request, behind = ''): Promise<ResponseLines> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const timer = setTimeout(() => socket.destroy(), timeout);
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(linesOf(Buffer.concat(chunks), request.method));
    });
    socket.write(behind === '' ? bytesOf(request) : Buffer.concat([bytesOf(request), Buffer.from(behind, 'latin1')]));
  });
}

function linesOf(bytes: Buffer, method: string): ResponseLines {
  const status = Number(bytes.toString('latin1', 9, 12));
  const bodiless = method === 'HEAD' || status === 204 || status === 304;
  const message = readMessage(bytes, 0, bodiless ? 'bodiless' : 'response', true);
  if (message === null) return ['no response'];
  if (status === 103) return ['103', ...linesOf(bytes.subarray(message.end), method)];
  const fields = message.fields
    .filter(([name, value]) => !ignored.has(name.toLowerCase()) && !(name === 'Content-Type' && value === ''))
    .map(([name, value]) => `${name}: ${withoutBoundary(value, message.fields)}`)
    .sort();
  return [String(status), ...fields, ...(message.complete ? [] : ['cut']), ...bodyLinesOf(message, status)];
}

function bodyLinesOf({ body, fields }: Message, status: number): string[] {
  return bodyText(body, fields, status)
    .split('\n')
    .map((line, index) => `body ${index}: ${JSON.stringify(line)}`);
}

/** Decodes the content coding of a body. The returned string has one character per byte. */
export function bodyText(body: Buffer, fields: Message['fields'], status: number): string {
  const coding = fields.find(([name]) => name.toLowerCase() === 'content-encoding')?.[1].toLowerCase() ?? '';
  const ranged = fields.some(([name]) => name.toLowerCase() === 'content-range');
  const decode = (ranged && status === 206) || body.length === 0 ? undefined : decoders[coding];
  try {
    return withoutBoundary((decode?.(body) ?? body).toString('latin1'), fields);
  } catch {
    return `a body that is not ${coding}`;
  }
}

/** Removes the random boundaries of multipart responses. */
export function withoutBoundary(text: string, fields: Message['fields']): string {
  const type = fields.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const boundary = /boundary=(\S+)/.exec(type)?.[1];
  return boundary === undefined ? text : text.replaceAll(boundary, 'BOUNDARY');
}
