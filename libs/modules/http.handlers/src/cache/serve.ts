/** Serves a stored response: evaluates conditions and ranges, and sends the body. */
import type { Exchange } from '@sluice/http-app';
import type { HeaderMap } from '@sluice/http1';
import { evaluate, rangeApplies, type Validators } from '../file_server/conditions.ts';
import { parseRange } from '../file_server/ranges.ts';
import type { OpenBody } from './store/open-body.ts';
import type { Stored } from './store/stored.ts';

/** Number of bytes of a body to read at a time. */
const pieceBytes = 128 * 1024;

/** Headers that a 304 response does not repeat. */
const contentFields = new Set([
  'content-length',
  'content-type',
  'content-encoding',
  'content-language',
  'content-range',
]);

export interface Serving {
  readonly exchange: Exchange;
  readonly stored: Stored;
  /** Open body, or `null` if the body is in {@link Stored.body}. */
  readonly open: OpenBody | null;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly cacheStatus: string;
  /** Request headers with the conditions and ranges. */
  readonly request: HeaderMap;
}

/** Sends the response and closes the body. Returns a promise if the client reads slowly. */
export function serveStored(serving: Serving): void | Promise<void> {
  const { exchange, stored, request } = serving;
  const { response } = exchange;
  const { headers } = response;
  writeFields(serving);
  if (stored.status !== 200) return sendBody(serving, stored.status, 0, stored.bodyLength);
  if (isNotModified(request, stored)) {
    dropContent(headers);
    return sendHead(serving, 304);
  }
  const range = request.get('range');
  if (range !== undefined && exchange.method === 'GET' && rangeApplies(request, validatorsOf(stored))) {
    const wanted = parseRange(range, stored.bodyLength);
    if (wanted.kind === 'unsatisfiable') {
      dropContent(headers);
      headers.set('content-range', `bytes */${stored.bodyLength}`);
      headers.set('content-length', '0');
      return sendHead(serving, 416);
    }
    // If a request contains several ranges, send the whole body, as RFC 9110 §14.2 permits.
    if (wanted.kind === 'parts' && wanted.parts.length === 1) {
      const [{ start, length } = { start: 0, length: 0 }] = wanted.parts;
      headers.set('content-range', `bytes ${start}-${start + length - 1}/${stored.bodyLength}`);
      return sendBody(serving, 206, start, length);
    }
  }
  return sendBody(serving, 200, 0, stored.bodyLength);
}

/** Reports whether the client's copy of a response is still current (RFC 9111 §4.3.2). */
function isNotModified(request: HeaderMap, stored: Stored): boolean {
  if (!request.has('if-none-match') && !request.has('if-modified-since')) return false;
  const { etag, modified } = validatorsOf(stored);
  // If there is no Last-Modified header, use the time when the response was created.
  const since = Number.isNaN(modified) ? Math.floor(stored.time / 1000) * 1000 : modified;
  return evaluate(request, { etag, modified: since }, true) === 304;
}

function validatorsOf(stored: Stored): Validators {
  return { etag: stored.field('etag'), modified: stored.modified };
}

/** Removes the headers that a 304 response does not repeat (RFC 9110 §15.4.5). */
export function dropContent(headers: HeaderMap): void {
  headers.deleteWhere((name) => contentFields.has(name));
}

function writeFields({ exchange, stored, now, cacheStatus }: Serving): void {
  const fields = exchange.response.headers;
  const { names, values } = stored;
  if (fields.size > 0) for (let i = 0; i < names.length; i++) fields.delete(names[i] as string);
  for (let i = 0; i < names.length; i++) fields.append(names[i] as string, values[i] as string);
  fields.set('age', String(Math.floor(stored.age(now))));
  fields.append('cache-status', cacheStatus);
}

function sendHead({ exchange: { response }, open }: Serving, status: number): void {
  open?.close();
  response.writeHead(status);
  response.end();
}

function sendBody(serving: Serving, status: number, from: number, length: number): void | Promise<void> {
  const { exchange, stored, open } = serving;
  const { response, method } = exchange;
  if (status === 204 || status === 304) return sendHead(serving, status);
  response.headers.set('content-length', String(length));
  if (method === 'HEAD' || length === 0) return sendHead(serving, status);
  response.writeHead(status);
  if (open !== null) return sendPieces(exchange, open, from, length);
  const body = stored.body as Buffer;
  response.end(length === body.length ? (stored.text ?? body) : body.subarray(from, from + length));
}

/** Sends a body in chunks, as fast as the client reads. */
async function sendPieces(exchange: Exchange, open: OpenBody, from: number, length: number): Promise<void> {
  const { response } = exchange;
  try {
    for (let done = 0; done < length;) {
      if (response.gone || exchange.aborted) return;
      const piece = await open.read(from + done, Math.min(pieceBytes, length - done));
      done += piece.length;
      if (!response.write(piece)) await response.drained();
    }
    response.end();
  } finally {
    open.close();
  }
}
