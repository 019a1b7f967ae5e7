/** Headers of the upstream request: the client's headers without hop-by-hop headers, and additional headers. */
import { listedTokens, lowerAscii } from '@sluice/base';
import { HeaderMap } from '@sluice/http1';
import type { Exchange, HeaderOperations } from '@sluice/http-app';

/** Ways to treat a request header. */
const dropped = 1;
const connectionField = 2;
const teField = 3;
const trailerField = 4;
const forwardedField = 5;
const agentField = 6;

const rules: ReadonlyMap<string, number> = new Map([
  ['connection', connectionField],
  ['content-length', dropped],
  ['host', dropped],
  ['keep-alive', dropped],
  ['proxy-authenticate', dropped],
  ['proxy-authorization', dropped],
  ['proxy-connection', dropped],
  ['te', teField],
  ['trailer', trailerField],
  ['transfer-encoding', dropped],
  ['upgrade', dropped],
  ['user-agent', agentField],
  ['x-forwarded-for', forwardedField],
  ['x-forwarded-host', forwardedField],
  ['x-forwarded-proto', forwardedField],
]);

/** Server name in the Via header. It is the same as Caddy's, because upstreams may depend on it. */
const viaValues: Readonly<Record<string, string>> = {
  'HTTP/1.0': '1.0 Caddy',
  'HTTP/1.1': '1.1 Caddy',
  'HTTP/2.0': '2.0 Caddy',
  'HTTP/3.0': '3.0 Caddy',
};

/** Returns the Via value for a message with a protocol version (RFC 9110 §7.6.3). */
export function viaOf(proto: string): string {
  return viaValues[proto] ?? `${proto.replace(/^.*\//, '')} Caddy`;
}

/** Returns the headers for the upstream request. If `trusted` is true, keeps the forwarding headers of the peer. */
export function requestFields(exchange: Exchange, trusted: boolean): HeaderMap {
  const { headers } = exchange;
  const fields = new HeaderMap();
  const named = namedByConnection(headers);
  for (let i = 0; i < headers.size; i++) {
    const name = headers.nameAt(i);
    const value = headers.valueAt(i);
    const rule = rules.get(name);
    if (rule === undefined) {
      if (named !== null && named.includes(name)) continue;
      fields.append(name, value);
    } else if (rule === teField) {
      if (!fields.has('te') && hasToken(value, 'trailers')) fields.append('te', 'trailers');
    } else if (rule === agentField) {
      // If the value is empty, the header is omitted.
      if (value !== '') fields.append(name, value);
    } else if (rule === trailerField && exchange.body.length < 0) fields.append(name, value);
  }
  fields.append('via', viaOf(exchange.proto));
  addForwarded(fields, exchange, trusted);
  return fields;
}

/** Returns the headers for one upstream after header operations, which may refer to the upstream and to Host. */
export function changedFields(
  common: HeaderMap,
  host: string,
  operations: HeaderOperations,
  exchange: Exchange,
): HeaderMap {
  const fields = common.clone();
  fields.set('host', host);
  operations.apply(fields, exchange);
  fields.delete('content-length');
  fields.delete('transfer-encoding');
  return fields;
}

/** Removes the Host header and returns its value, or an empty string if there is none. */
export function takeHost(fields: HeaderMap): string {
  const host = lastOf(fields, 'host');
  fields.delete('host');
  return host;
}

/** Returns the additional hop-by-hop headers that the Connection header lists, or `null` if it lists none. */
function namedByConnection(headers: HeaderMap): readonly string[] | null {
  const connection = headers.joined('connection');
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return null;
  return listedTokens(connection);
}

/** Returns the protocol in the client's upgrade request, or an empty string if there is none. */
export function upgradeOf(headers: HeaderMap): string {
  const upgrade = headers.get('upgrade');
  return upgrade !== undefined && hasToken(headers.joined('connection') ?? '', 'upgrade') ? lowerAscii(upgrade) : '';
}

function hasToken(list: string, token: string): boolean {
  return listedTokens(list).includes(token);
}

/** Adds X-Forwarded-For, X-Forwarded-Host and X-Forwarded-Proto. Values from a trusted peer are kept and extended. */
function addForwarded(fields: HeaderMap, exchange: Exchange, trusted: boolean): void {
  const { headers, connection } = exchange;
  // Early data can be replayed. The upstream can reject such a request with status 425 (RFC 8470 §5.1).
  if (connection.tls?.handshakeComplete === false) fields.set('early-data', '1');
  const address = plainAddress(connection.remoteAddress);
  const before = trusted ? (headers.joined('x-forwarded-for', ', ') ?? '') : '';
  // A peer on a Unix socket has no IP address.
  if (address === '' && !trusted) return;
  const chain = before === '' || address === '' ? before + address : `${before}, ${address}`;
  if (chain !== '') fields.append('x-forwarded-for', chain);
  const scheme = connection.tls === null ? 'http' : 'https';
  fields.append('x-forwarded-proto', (trusted ? lastOf(headers, 'x-forwarded-proto') : '') || scheme);
  fields.append('x-forwarded-host', (trusted ? lastOf(headers, 'x-forwarded-host') : '') || exchange.host);
}

function plainAddress(address: string): string {
  const percent = address.indexOf('%');
  return percent < 0 ? address : address.slice(0, percent);
}

function lastOf(headers: HeaderMap, name: string): string {
  return headers.all(name).at(-1) ?? '';
}
