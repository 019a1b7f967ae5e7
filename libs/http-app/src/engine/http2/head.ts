/** Requests of HTTP/2 (RFC 9113 §8.3) in the form that exchanges have. */
import { randomBytes } from 'node:crypto';
import { fromLatin1 } from '@sluice/base';
import {
  type RequestHead,
  HeaderMap,
  dropTwins,
  isIrregular,
  isHost,
  parseOriginForm,
  type Target,
  notInTrailers,
} from '@sluice/http1';

/** A head of HTTP/2. */
export interface Http2Head extends RequestHead {
  /** It asks for a WebSocket on the stream (RFC 8441), and has the form that HTTP/1.1 asks for one in. */
  readonly webSocket: boolean;
}

/** A head, or the status that it is refused with. */
export type HeadOrStatus = Http2Head | number;

const badRequest = 400;
const notImplemented = 501;

const root: Target = { host: '', rawPath: '/', query: null };

/** Reads a head from names and values in turn, as they came. Only names in `kept` may have `_` or `.`. */
export function readHead(raw: readonly string[], kept: ReadonlySet<string>): HeadOrStatus {
  const headers = new HeaderMap();
  let method = '';
  let path = '';
  let authority: string | null = null;
  let host = '';
  let protocol: string | null = null;
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i] as string;
    const value = raw[i + 1] as string;
    if (name.startsWith(':')) {
      if (name === ':method') method = value;
      else if (name === ':path') path = value;
      else if (name === ':authority') authority = value;
      else if (name === ':protocol') protocol = value;
    } else if (name === 'host') host = value;
    else addField(headers, name, fromLatin1(value), kept);
  }
  if (kept.size > 0) dropTwins(headers);
  const webSocket = method === 'CONNECT' && protocol === 'websocket';
  if (protocol !== null && !webSocket) return notImplemented;
  const sent = fromLatin1(path);
  const target = method === 'CONNECT' && !webSocket ? root : parseOriginForm(sent);
  const named = authority ?? host;
  if (target === null || method === '' || !isHost(named)) return badRequest;
  if (webSocket) {
    method = 'GET';
    askForWebSocket(headers);
  }
  return {
    method,
    rawPath: target.rawPath,
    query: target.query,
    target: target === root ? null : sent,
    proto: 'HTTP/2.0',
    host: named,
    headers,
    webSocket,
  };
}

/** Reads the fields after a body, with the same filter as those of HTTP/1.1. */
export function readTrailers(raw: readonly string[], kept: ReadonlySet<string>): HeaderMap {
  const trailers = new HeaderMap();
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i] as string;
    if (!notInTrailers.has(name) && (kept.has(name) || !isIrregular(name)))
      trailers.append(name, fromLatin1(raw[i + 1] as string));
  }
  return trailers;
}

/** What HTTP/1.1 says in place of `:protocol` (RFC 6455 §4.1), so that handlers know one kind of handshake. */
function askForWebSocket(headers: HeaderMap): void {
  headers.set('connection', 'Upgrade');
  headers.set('upgrade', 'websocket');
  headers.set('sec-websocket-key', randomBytes(16).toString('base64'));
}

function addField(headers: HeaderMap, name: string, value: string, kept: ReadonlySet<string>): void {
  if (isIrregular(name) && !kept.has(name)) return;
  // Clients may split cookies to compress them better (RFC 9113 §8.2.3).
  const before = name === 'cookie' ? headers.get(name) : undefined;
  if (before === undefined) headers.append(name, value);
  else headers.set(name, `${before}; ${value}`);
}
