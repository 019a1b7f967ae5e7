/** Converts HTTP/2 requests (RFC 9113 §8.3) to the form that exchanges use. */
import { randomBytes } from 'node:crypto';
import { type HeaderMap, type RequestHead, type KeptNames, isHost, parseOriginForm, type Target } from '@sluice/http1';
import type { RequestFields } from '@sluice/http2';

export interface Http2Head extends RequestHead {
  /** True for a WebSocket on a stream (RFC 8441). Its request is converted to HTTP/1.1 form. */
  readonly webSocket: boolean;
}

/** A request head, or the status with which to reject the request. */
export type HeadOrStatus = Http2Head | number;

const badRequest = 400;
const fieldsTooLarge = 431;
const notImplemented = 501;

const root: Target = { host: '', rawPath: '/', query: null };

/** Builds a request head from header fields. Drops fields whose names contain `_` or `.`, except for the names in `kept`. */
export function readHead(fields: RequestFields, kept: KeptNames, proto: string): HeadOrStatus {
  if (fields.tooLarge) return fieldsTooLarge;
  const { headers, protocol, path } = fields;
  if (kept.size > 0) kept.sift(headers);
  const webSocket = protocol === 'websocket';
  if (protocol !== null && !webSocket) return notImplemented;
  const target = fields.method === 'CONNECT' && !webSocket ? root : parseOriginForm(path);
  const host = fields.authority ?? fields.host;
  if (target === null || !isHost(host)) return badRequest;
  if (webSocket) askForWebSocket(headers);
  return {
    method: webSocket ? 'GET' : fields.method,
    rawPath: target.rawPath,
    query: target.query,
    target: target === root ? null : path,
    proto,
    host,
    headers,
    webSocket,
  };
}

/**
 * Adds the HTTP/1.1 headers that correspond to `:protocol` (RFC 6455 §4.1). Handlers thus receive the same handshake for both HTTP
 * versions.
 */
function askForWebSocket(headers: HeaderMap): void {
  headers.set('connection', 'Upgrade');
  headers.set('upgrade', 'websocket');
  headers.set('sec-websocket-key', randomBytes(16).toString('base64'));
}
