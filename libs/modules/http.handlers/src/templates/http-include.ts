/**
 * The template function `httpInclude`, which sends a request to this server. Templates are synchronous, but requests are not. A page that
 * needs a response therefore stops, and runs again when the response is available.
 */
import { guarded } from '@sluice/base';
import { Exchange, HttpError, type ConnectionInfo } from '@sluice/http-app';
import { HeaderMap } from '@sluice/http1';
import { decodeText } from '@sluice/text-template';
import { VirtualResponse } from './virtual-response.ts';

/** Thrown by `httpInclude` if the response is not available yet. */
export class IncludeNeeded extends Error {
  readonly uri: string;

  constructor(uri: string) {
    super(`httpInclude of ${uri} requires a response`);
    this.name = 'IncludeNeeded';
    this.uri = uri;
  }
}

/** Maximum nesting depth of pages that include each other. */
const maxDepth = 20;
/** Maximum number of included requests per client request. */
const maxRequests = 200;

interface Family {
  requests: number;
}

const families = new WeakMap<Exchange, { readonly family: Family; readonly depth: number }>();

/** Request headers that only apply to the main response. */
const ownFields = ['range', 'if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'if-range'];
const bodyFields = [
  'content-length',
  'content-type',
  'content-encoding',
  'transfer-encoding',
  'expect',
  'upgrade',
  'connection',
];

/** Sends a request to this server with the client's headers. Throws if the status is 400 or higher. */
export async function includeByRequest(exchange: Exchange, uri: string): Promise<string> {
  const { server } = exchange;
  if (server === null) throw new HttpError(500, 'httpInclude requires a server');
  if (!uri.startsWith('/') || /[\s#]/.test(uri))
    throw new HttpError(500, `httpInclude ${JSON.stringify(uri)}: the path must begin with a slash and be escaped`);
  const { depth, family } = families.get(exchange) ?? { depth: 0, family: { requests: 0 } };
  if (depth >= maxDepth || family.requests >= maxRequests)
    throw new HttpError(
      500,
      `httpInclude ${JSON.stringify(uri)}: too many requests; check whether a page includes itself`,
    );
  families.set(exchange, { depth, family });
  family.requests++;
  const response = new VirtualResponse();
  const part = virtualExchange(exchange, uri, response);
  families.set(part, { depth: depth + 1, family });
  const abort = guarded(exchange, () => part.abort());
  exchange.signal.addEventListener('abort', abort);
  try {
    await server.handle(part);
  } finally {
    exchange.signal.removeEventListener('abort', abort);
  }
  if (response.failure !== null) throw new HttpError(500, `httpInclude ${JSON.stringify(uri)}: ${response.failure}`);
  if (response.status >= 400) throw new HttpError(500, `httpInclude ${JSON.stringify(uri)}: http ${response.status}`);
  return decodeText(response.body());
}

function virtualExchange(exchange: Exchange, uri: string, response: VirtualResponse): Exchange {
  const mark = uri.indexOf('?');
  const headers = new HeaderMap();
  for (const [name, value] of exchange.headers)
    if (!ownFields.includes(name) && !bodyFields.includes(name)) headers.append(name, value);
  headers.set('accept-encoding', 'identity');
  const connection: ConnectionInfo = {
    remoteAddress: exchange.connection.remoteAddress,
    remotePort: exchange.connection.remotePort,
    localAddress: exchange.connection.localAddress,
    localPort: exchange.connection.localPort,
    unix: exchange.connection.unix,
    tls: exchange.connection.tls,
    upgrade: () => null,
    destroy: () => response.cut('the response was truncated'),
  };
  const head = {
    method: 'GET',
    rawPath: mark < 0 ? uri : uri.slice(0, mark),
    query: mark < 0 ? null : uri.slice(mark + 1),
    proto: exchange.proto,
    host: exchange.host,
    headers,
  };
  return new Exchange(head, connection, response);
}
