/** Header fields of the request to the upstream: those of the client without what belongs to its connection, and ours. */
import { listedTokens, lowerAscii } from '@sluice/base';
import { HeaderMap } from '@sluice/http1';
import type { Exchange, HeaderOperations } from '@sluice/http-app';

/** Fields that are not simply passed on. */
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

/** Our name in Via fields. It is that of the reference, which upstreams may look for. */
const viaValues: Readonly<Record<string, string>> = {
  'HTTP/1.0': '1.0 Caddy',
  'HTTP/1.1': '1.1 Caddy',
  'HTTP/2.0': '2.0 Caddy',
  'HTTP/3.0': '3.0 Caddy',
};

/** The Via value for a message of a protocol (RFC 9110 §7.6.3). */
export function viaOf(proto: string): string {
  return viaValues[proto] ?? `${proto.replace(/^.*\//, '')} Caddy`;
}

/** The fields for the upstream. `trusted`: what the peer says of whom it forwards for is kept. */
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
      // One that is empty means that the client wants none to be sent.
      if (value !== '') fields.append(name, value);
    } else if (rule === trailerField && exchange.body.length < 0) fields.append(name, value);
  }
  fields.append('via', viaOf(exchange.proto));
  addForwarded(fields, exchange, trusted);
  return fields;
}

/** The fields for one upstream, of which operations may speak: those for any, changed. Host is among them meanwhile. */
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

/** Takes Host out; empty for none. */
export function takeHost(fields: HeaderMap): string {
  const host = lastOf(fields, 'host');
  fields.delete('host');
  return host;
}

/** Fields that go no further than this connection; `null` for none beyond the usual ones. */
function namedByConnection(headers: HeaderMap): readonly string[] | null {
  const connection = headers.joined('connection');
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return null;
  return listedTokens(connection);
}

/** The protocol that the client wants to switch to; empty for none. */
export function upgradeOf(headers: HeaderMap): string {
  const upgrade = headers.get('upgrade');
  return upgrade !== undefined && hasToken(headers.joined('connection') ?? '', 'upgrade') ? lowerAscii(upgrade) : '';
}

function hasToken(list: string, token: string): boolean {
  return listedTokens(list).includes(token);
}

/** X-Forwarded-For, -Host and -Proto: what a trusted peer says, and what we see ourselves. */
function addForwarded(fields: HeaderMap, exchange: Exchange, trusted: boolean): void {
  const { headers, connection } = exchange;
  const address = plainAddress(connection.remoteAddress);
  const before = trusted ? (headers.joined('x-forwarded-for', ', ') ?? '') : '';
  // A peer on a unix socket has no address to tell.
  if (address === '' && !trusted) return;
  const chain = before === '' || address === '' ? before + address : `${before}, ${address}`;
  if (chain !== '') fields.append('x-forwarded-for', chain);
  const scheme = connection.tls === null ? 'http' : 'https';
  fields.append('x-forwarded-proto', (trusted ? lastOf(headers, 'x-forwarded-proto') : '') || scheme);
  fields.append('x-forwarded-host', (trusted ? lastOf(headers, 'x-forwarded-host') : '') || exchange.host);
}

/** Zones mean something to this machine only. */
function plainAddress(address: string): string {
  const percent = address.indexOf('%');
  return percent < 0 ? address : address.slice(0, percent);
}

function lastOf(headers: HeaderMap, name: string): string {
  return headers.all(name).at(-1) ?? '';
}
