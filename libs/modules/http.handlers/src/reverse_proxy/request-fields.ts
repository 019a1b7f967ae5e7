/** Header fields of the upstream request: the client's fields without hop-by-hop fields, plus added fields. */
import { listedTokens, lowerAscii } from '@sluice/base';
import { HeaderMap } from '@sluice/http1';
import type { Exchange, HeaderOperations } from '@sluice/http-app';

/** How a field is treated. */
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

/** Server name in Via. Same as Caddy's, because upstreams may depend on it. */
const viaValues: Readonly<Record<string, string>> = {
  'HTTP/1.0': '1.0 Caddy',
  'HTTP/1.1': '1.1 Caddy',
  'HTTP/2.0': '2.0 Caddy',
  'HTTP/3.0': '3.0 Caddy',
};

/** Returns the Via value for a message of a protocol (RFC 9110 §7.6.3). */
export function viaOf(proto: string): string {
  return viaValues[proto] ?? `${proto.replace(/^.*\//, '')} Caddy`;
}

/** Returns the header fields for the upstream. `trusted` keeps the peer's forwarding fields. */
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
      // An empty value means that the field is omitted.
      if (value !== '') fields.append(name, value);
    } else if (rule === trailerField && exchange.body.length < 0) fields.append(name, value);
  }
  fields.append('via', viaOf(exchange.proto));
  addForwarded(fields, exchange, trusted);
  return fields;
}

/** Returns the fields for one upstream after header operations, which may refer to the upstream and to Host. */
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

/** Removes Host from the fields and returns it; empty for none. */
export function takeHost(fields: HeaderMap): string {
  const host = lastOf(fields, 'host');
  fields.delete('host');
  return host;
}

/** Returns the additional hop-by-hop fields listed in Connection; `null` for none. */
function namedByConnection(headers: HeaderMap): readonly string[] | null {
  const connection = headers.joined('connection');
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return null;
  return listedTokens(connection);
}

/** Returns the protocol that the client wants to switch to; empty for none. */
export function upgradeOf(headers: HeaderMap): string {
  const upgrade = headers.get('upgrade');
  return upgrade !== undefined && hasToken(headers.joined('connection') ?? '', 'upgrade') ? lowerAscii(upgrade) : '';
}

function hasToken(list: string, token: string): boolean {
  return listedTokens(list).includes(token);
}

/** Adds X-Forwarded-For, -Host and -Proto. Values of a trusted peer are kept and extended. */
function addForwarded(fields: HeaderMap, exchange: Exchange, trusted: boolean): void {
  const { headers, connection } = exchange;
  // The upstream can reject a replay with 425 (RFC 8470 §5.1).
  if (connection.tls?.handshakeComplete === false) fields.set('early-data', '1');
  const address = plainAddress(connection.remoteAddress);
  const before = trusted ? (headers.joined('x-forwarded-for', ', ') ?? '') : '';
  // A peer on a Unix socket has no address.
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
