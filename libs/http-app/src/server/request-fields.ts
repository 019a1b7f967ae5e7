/** Formats the `request` field of log entries, as in Caddy. */
import type { Exchange } from '../exchange/exchange.ts';
import { escaped, headersObject, HeadersText, quoted } from './log-text.ts';
import { requestOpening } from './request-opening.ts';
import { tlsFields, tlsText } from './tls-fields.ts';

export class RequestText {
  readonly #headers: HeadersText;

  constructor(showCredentials: boolean) {
    this.#headers = new HeadersText(showCredentials, () => '","headers":');
  }

  /** Returns `"request":{"remote_ip":"192.0.2.1","remote_port":"50000",…` without the closing brace. */
  of(exchange: Exchange): string {
    const coding = transferEncoding(exchange);
    const { tls } = exchange.connection;
    const without = coding === null ? null : 'transfer-encoding';
    const text =
      requestOpening(exchange) + escaped(exchange.originalUri) + this.#headers.of(exchange.originalHeaders, without, 0);
    if (coding === null && tls === null) return text;
    const after = coding === null ? '' : `,"transfer_encoding":[${quoted(coding)}]`;
    return `${text}${after}${tls === null ? '' : tlsText(tls)}`;
  }
}

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

/** Returns `chunked` if the body used chunked coding. The request fields no longer contain `Transfer-Encoding`. */
function transferEncoding({ arrivingBody }: Exchange): string | null {
  return arrivingBody.length < 0 ? 'chunked' : null;
}
