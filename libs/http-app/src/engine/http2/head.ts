/** Requests of HTTP/2 (RFC 9113 §8.3) in the form that exchanges have. */
import { randomBytes } from 'node:crypto';
import {
  type HeaderMap,
  type RequestHead,
  dropTwins,
  isHost,
  notInTrailers,
  parseOriginForm,
  type Target,
} from '@sluice/http1';
import type { RequestFields } from '@sluice/http2';

/** A head of HTTP/2. */
export interface Http2Head extends RequestHead {
  /** It asks for a WebSocket on the stream (RFC 8441), and has the form that HTTP/1.1 asks for one in. */
  readonly webSocket: boolean;
}

/** A head, or the status that it is refused with. */
export type HeadOrStatus = Http2Head | number;

const badRequest = 400;
const fieldsTooLarge = 431;
const notImplemented = 501;

const root: Target = { host: '', rawPath: '/', query: null };

/** Makes a head of the fields of a request. `keepsIrregular`: there may be names with `_` or `.`. */
export function readHead(fields: RequestFields, keepsIrregular: boolean): HeadOrStatus {
  if (fields.tooLarge) return fieldsTooLarge;
  const { headers, protocol, path } = fields;
  if (keepsIrregular) dropTwins(headers);
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
    proto: 'HTTP/2.0',
    host,
    headers,
    webSocket,
  };
}

/** The fields after a body, with the same filter as those of HTTP/1.1; `null` if none is left. */
export function readTrailers(trailers: HeaderMap): HeaderMap | null {
  trailers.deleteWhere((name) => notInTrailers.has(name));
  return trailers.size > 0 ? trailers : null;
}

/** What HTTP/1.1 says in place of `:protocol` (RFC 6455 §4.1), so that handlers know one kind of handshake. */
function askForWebSocket(headers: HeaderMap): void {
  headers.set('connection', 'Upgrade');
  headers.set('upgrade', 'websocket');
  headers.set('sec-websocket-key', randomBytes(16).toString('base64'));
}
