/** Placeholders with fixed names, such as `http.request.method` and `http.request.host`. */
import { escapeQuery, formatDuration, type Accessor } from '@sluice/base';
import { hostOf, portOf } from '../exchange/authority.ts';
import type { ConnectionInfo } from '../exchange/connection.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { joinAddress } from './address.ts';

const accessors = {
  'http.request.method': (exchange) => exchange.method,
  'http.request.orig_method': (exchange) => exchange.originalMethod,
  'http.request.uri': (exchange) => exchange.uri,
  'http.request.uri_escaped': (exchange) => escapeQuery(exchange.uri),
  'http.request.orig_uri': (exchange) => exchange.originalUri,
  'http.request.host': (exchange) => hostOf(exchange.host),
  'http.request.hostport': (exchange) => exchange.host,
  'http.request.port': (exchange) => portOf(exchange.host),
  'http.request.proto': (exchange) => exchange.proto,
  'http.request.proto_name': (exchange) => exchange.proto,
  'http.request.scheme': (exchange) => (exchange.connection.tls === null ? 'http' : 'https'),
  'http.request.uuid': (exchange) => exchange.uuid,
  'http.request.duration': (exchange) => formatDuration(performance.now() - exchange.startedAt),
  'http.request.duration_ms': (exchange) => performance.now() - exchange.startedAt,
  'http.request.body': ({ body }) => body.failure ?? body.buffered()?.toString('utf8') ?? '',
  'http.request.body_base64': ({ body }) => body.failure ?? body.buffered()?.toString('base64') ?? '',
  'http.request.remote': ({ connection }) => remoteOf(connection),
  'http.request.local': ({ connection }) => joinAddress(connection.localAddress, connection.localPort),
  'http.shutting_down': (exchange) => (exchange.server?.shutdownAt ?? 0) > 0,
  'http.time_until_shutdown': timeUntilShutdown,
} satisfies Readonly<Record<string, Accessor<Exchange>>>;

export type FixedPlaceholder = keyof typeof accessors;

export const fixedAccessors: ReadonlyMap<string, Accessor<Exchange>> = new Map<string, Accessor<Exchange>>(
  Object.entries(accessors),
);

/** Returns the remote address and port. Returns `@` for a client on a Unix socket, because it has no address. */
function remoteOf({ remoteAddress, remotePort }: ConnectionInfo): string {
  return remoteAddress === '' ? '@' : joinAddress(remoteAddress, remotePort);
}

function timeUntilShutdown(exchange: Exchange): unknown {
  const at = exchange.server?.shutdownAt ?? 0;
  return at === 0 ? '' : formatDuration(Math.max(0, at - Date.now()));
}
