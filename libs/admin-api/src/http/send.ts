import { hash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { escapeHtml, type Json } from '@sluice/base';
import { jsonChunks } from './json-chunks.ts';

export interface Fields {
  readonly [name: string]: string;
}

/** Value of `Retry-After` in 503 responses, in seconds. */
const retryAfter = 2;

/** Sends status 200 with an empty body, which means that a change was applied. */
export function sendEmpty(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Length': '0' }).end();
}

/** Sends a response with a string or binary body. */
export function sendBody(response: ServerResponse, status: number, body: string | Buffer, fields: Fields = {}): void {
  response.writeHead(status, { ...fields, 'Content-Length': String(Buffer.byteLength(body)) }).end(body);
}

/** Sends a small JSON value. Responses to GET requests include an entity tag, for clients that poll with `If-None-Match`. */
export function sendJson(response: ServerResponse, status: number, value: unknown, fields: Fields = {}): void {
  const body = `${JSON.stringify(value)}\n`;
  const headers = { 'Content-Type': 'application/json', ...fields };
  if (response.req.method !== 'GET' || status !== 200) {
    sendBody(response, status, body, headers);
    return;
  }
  const tag = `"${hash('sha1', body, 'base64url')}"`;
  if (!sendUnchanged(response, tag)) sendBody(response, status, body, { ...headers, Etag: tag });
}

/** If the client already has the current representation, sends status 304 and returns true (RFC 9110 §13.1.2). Otherwise, returns false. */
export function sendUnchanged(response: ServerResponse, tag: string): boolean {
  const { method, headers } = response.req;
  const known = headers['if-none-match'];
  // Use the weak comparison: `W/"tag"` also matches.
  if (method !== 'GET' || known === undefined || !(known.trim() === '*' || known.includes(tag))) return false;
  response.writeHead(304, { Etag: tag }).end();
  return true;
}

/**
 * Name of the header for error codes. Clients request error codes by sending this header with any value. The response header of the same
 * name contains the error code.
 */
const errorCodeHeader = 'Sluice-Error';

/**
 * Returns a response header with the error code if the client requested error codes; see `docs/errors.md`. Other clients receive the same
 * headers as from Caddy.
 */
export function errorCodeField({ req }: ServerResponse, code: string | undefined): Fields {
  if (code === undefined || req.headers[errorCodeHeader.toLowerCase()] === undefined) return {};
  return { [errorCodeHeader]: code };
}

/** Sends the error as `{"error": …}`. Escapes HTML markup in case a browser renders the response. */
export function sendError(response: ServerResponse, status: number, message: string, code?: string): void {
  const fields = { 'Content-Type': 'application/json', ...errorCodeField(response, code) };
  sendBody(response, status, errorBody(message), fields);
}

export function errorBody(message: string): string {
  const body = JSON.stringify({ error: message }).replaceAll(
    /[<>&\u2028\u2029]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `${body}\n`;
}

/** Sends status 503 with a reason and the `Retry-After` header (RFC 9110 §10.2.3). */
export function sendUnavailable(response: ServerResponse, message: string): void {
  response.setHeader('Retry-After', String(retryAfter)).setHeader('Connection', 'close');
  sendError(response, 503, message, 'ERR_ADMIN_UNAVAILABLE');
}

/** Sends plain text in the same format as the HTTP layer. */
export function sendText(response: ServerResponse, status: number, text: string): void {
  sendBody(response, status, text, {
    'Content-Type': 'text/plain; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
  });
}

/** Sends a redirect that preserves the request method. */
export function sendRedirect(response: ServerResponse, method: string, location: string): void {
  if (method !== 'GET' && method !== 'HEAD') {
    response.writeHead(307, { Location: location, 'Content-Length': '0' }).end();
    return;
  }
  sendBody(response, 307, `<a href="${escapeHtml(location)}">Temporary Redirect</a>.\n\n`, {
    'Content-Type': 'text/html; charset=utf-8',
    Location: location,
  });
}

/** Sends status 200 and a JSON value. Sends a large value in chunks, with backpressure, and lets other work run between the chunks. */
export async function sendDocument(response: ServerResponse, value: Json, fields: Fields = {}): Promise<void> {
  const chunks = jsonChunks(value);
  const first = chunks.next().value ?? '';
  let next = chunks.next();
  const headers = { 'Content-Type': 'application/json', ...fields };
  if (next.done === true) {
    sendBody(response, 200, `${first}\n`, headers);
    return;
  }
  response.writeHead(200, headers);
  response.write(first);
  for (; next.done !== true && !response.destroyed; next = chunks.next()) {
    if (response.write(next.value)) await nextTurn();
    else await drained(response);
  }
  response.end('\n');
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}
