/** Responds to a request for an existing file: evaluates conditions and ranges, and sends the content. */
import { randomBytes } from 'node:crypto';
import { HttpError, statusOf, type Exchange, type HttpTemplate } from '@sluice/http-app';
import type { HeaderMap } from '@sluice/http1';
import { sendBody, type OpenedFile, type Segment } from './body.ts';
import { evaluate, rangeApplies } from './conditions.ts';
import type { StoredFile } from './file-store.ts';
import { parseRange, type ByteRange } from './ranges.ts';

/**
 * Returns the status to send instead of 200, 206 or 304. The status comes from the option or from the error being handled. Returns 0 if
 * there is none.
 */
export function fixedStatus(option: HttpTemplate | null, exchange: Exchange): number {
  if (option === null) return exchange.error === null ? 0 : statusOf(exchange.error);
  const text = option.expand(exchange);
  const status = /^\+?\d{1,9}$/.test(text) ? Number(text) : 0;
  if (status < 100 || status > 999)
    throw new HttpError(500, `status_code ${JSON.stringify(text)} is not a status code from 100 to 999`);
  return status;
}

/**
 * Responds with a file. The response must already have an entity tag and, if known, a content type. `override` is a status that replaces
 * the default one, or 0.
 */
export function respondWithFile(exchange: Exchange, source: OpenedFile, override: number): void | Promise<void> {
  const { file } = source;
  const { headers } = exchange;
  const fields = exchange.response.headers;
  const validators = { etag: fields.get('etag') ?? '', modified: file.modified };
  const verdict = evaluate(headers, validators, exchange.method === 'GET' || exchange.method === 'HEAD');
  if (verdict === 304) return notModified(exchange, override === 0 ? 304 : override);
  if (file.lastModified === '') fields.delete('last-modified');
  else fields.set('last-modified', file.lastModified);
  if (verdict === 412) return conditionFailed(exchange, override === 0 ? 412 : override);
  const range = headers.get('range');
  if (range !== undefined && rangeApplies(headers, validators)) {
    const wanted = parseRange(range, file.size);
    if (wanted.kind === 'parts') return sendParts(exchange, source, wanted.parts, override);
    if (wanted.kind !== 'whole') return rangeRefused(exchange, file, wanted.kind, override);
  }
  setLength(exchange, file.size);
  return send(exchange, source, override === 0 ? 200 : override, [{ start: 0, length: file.size }]);
}

/** Sets the `Content-Length` header before the body is sent with {@link send}. */
function setLength(exchange: Exchange, length: number): void {
  const { headers } = exchange.response;
  headers.set('accept-ranges', 'bytes');
  headers.set('content-length', String(length));
}

function send(
  exchange: Exchange,
  source: OpenedFile,
  status: number,
  segments: readonly Segment[],
): void | Promise<void> {
  const { response } = exchange;
  if (exchange.method !== 'HEAD' && status !== 204 && status !== 304)
    return sendBody(exchange, status, source, segments);
  response.writeHead(status);
  response.end();
}

function sendParts(
  exchange: Exchange,
  source: OpenedFile,
  parts: readonly ByteRange[],
  override: number,
): void | Promise<void> {
  const fields = exchange.response.headers;
  const { size } = source.file;
  const status = override === 0 ? 206 : override;
  const [first] = parts;
  if (parts.length === 1 && first !== undefined) {
    fields.set('content-range', contentRange(first, size));
    setLength(exchange, first.length);
    return send(exchange, source, status, [first]);
  }
  const boundary = randomBytes(30).toString('hex');
  const segments: Segment[] = [];
  const type = fields.get('content-type') ?? '';
  let length = 0;
  for (const part of parts) {
    const before = `${segments.length === 0 ? '' : '\r\n'}--${boundary}\r\nContent-Range: ${contentRange(part, size)}\r\nContent-Type: ${type}\r\n\r\n`;
    segments.push(before, part);
    length += Buffer.byteLength(before) + part.length;
  }
  const last = `\r\n--${boundary}--\r\n`;
  segments.push(last);
  fields.set('content-type', `multipart/byteranges; boundary=${boundary}`);
  setLength(exchange, length + last.length);
  return send(exchange, source, status, segments);
}

function contentRange({ start, length }: ByteRange, size: number): string {
  return `bytes ${start}-${start + length - 1}/${size}`;
}

function notModified(exchange: Exchange, status: number): void {
  dropContent(exchange.response.headers);
  exchange.response.headers.delete('last-modified');
  exchange.response.writeHead(status);
  exchange.response.end();
}

function conditionFailed(exchange: Exchange, status: number): void {
  exchange.response.headers.delete('content-encoding');
  exchange.response.headers.set('content-length', '0');
  exchange.response.writeHead(status);
  exchange.response.end();
}

function rangeRefused(
  exchange: Exchange,
  file: StoredFile,
  kind: 'malformed' | 'unsatisfiable',
  override: number,
): void {
  const fields = exchange.response.headers;
  dropContent(fields);
  for (const name of ['etag', 'last-modified', 'cache-control']) fields.delete(name);
  fields.set('content-type', 'text/plain; charset=utf-8');
  fields.set('x-content-type-options', 'nosniff');
  if (kind === 'unsatisfiable') fields.set('content-range', `bytes */${file.size}`);
  exchange.response.writeHead(override === 0 ? 416 : override);
  exchange.response.end(kind === 'malformed' ? 'invalid range\n' : 'invalid range: failed to overlap\n');
}

function dropContent(fields: HeaderMap): void {
  for (const name of ['content-type', 'content-length', 'content-encoding']) fields.delete(name);
}
