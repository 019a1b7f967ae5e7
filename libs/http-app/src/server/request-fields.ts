/** The part of log entries that tells of a request: `request`, in the shape that readers of the reference's logs know. */
import type { ConnectionInfo } from '../exchange/connection.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { headersObject, quoted, type HeadersText } from './log-text.ts';
import { tlsFields } from './tls-fields.ts';

/** What stands before the client's address, by connection. */
const openings = new WeakMap<ConnectionInfo, string>();

/** `{"remote_ip":"192.0.2.1","remote_port":"50000",…}`. */
export function requestText(exchange: Exchange, headers: HeadersText): string {
  const { connection } = exchange;
  const coding = transferEncoding(exchange);
  const tls = connection.tls;
  const clientIp = exchange.clientIp;
  return (
    opening(connection) +
    `${clientIp === connection.remoteAddress ? clientIp : quoted(clientIp).slice(1, -1)}","proto":"${exchange.proto}","method":${quoted(exchange.originalMethod)}` +
    `,"host":${quoted(exchange.originalHost)},"uri":${quoted(exchange.originalUri)}` +
    `,"headers":${headers.of(exchange.originalHeaders, coding === null ? null : 'transfer-encoding')}` +
    (coding === null ? '' : `,"transfer_encoding":[${quoted(coding)}]`) +
    (tls === null ? '}' : `,"tls":${JSON.stringify(tlsFields(tls))}}`)
  );
}

function opening(connection: ConnectionInfo): string {
  let text = openings.get(connection);
  if (text === undefined) {
    const { remoteAddress, remotePort } = connection;
    text = `{"remote_ip":${quoted(remoteAddress)},"remote_port":"${remotePort}","client_ip":"`;
    openings.set(connection, text);
  }
  return text;
}

/** The same as an object. */
export function requestObject(exchange: Exchange, showCredentials: boolean): Record<string, unknown> {
  const { connection, originalHeaders: headers } = exchange;
  const coding = transferEncoding(exchange);
  const fields: Record<string, unknown> = {
    remote_ip: connection.remoteAddress,
    remote_port: String(connection.remotePort),
    client_ip: exchange.clientIp,
    proto: exchange.proto,
    method: exchange.originalMethod,
    host: exchange.originalHost.toWellFormed(),
    uri: exchange.originalUri.toWellFormed(),
    headers: headersObject(headers, showCredentials, coding === null ? null : 'transfer-encoding'),
  };
  if (coding !== null) fields['transfer_encoding'] = [coding];
  if (connection.tls !== null) fields['tls'] = tlsFields(connection.tls);
  return fields;
}

/** `chunked` where the body came in chunks; it is no field of the request then. */
function transferEncoding({ arrivingBody }: Exchange): string | null {
  return arrivingBody.length < 0 ? 'chunked' : null;
}
