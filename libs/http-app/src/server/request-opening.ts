/** Start of the request data in log entries. Cached, because it rarely changes during a connection. */
import { flat } from '@sluice/base';
import type { RequestOpening } from '../exchange/connection.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { escaped, quoted } from './log-text.ts';

/** Returns `"request":{"remote_ip":"192.0.2.1",…,"host":"example.com","uri":"`, up to the request target. */
export function requestOpening(exchange: Exchange): string {
  const { notes } = exchange.connection;
  if (notes === undefined) return makeOpening(exchange).text;
  const known = notes.opening;
  return known !== null && begins(known, exchange) ? known.text : (notes.opening = makeOpening(exchange)).text;
}

function begins(known: RequestOpening, exchange: Exchange): boolean {
  return (
    known.method === exchange.originalMethod &&
    known.host === exchange.originalHost &&
    known.clientIp === exchange.clientIp &&
    known.proto === exchange.proto
  );
}

function makeOpening(exchange: Exchange): RequestOpening {
  const { connection, clientIp, proto, originalMethod: method, originalHost: host } = exchange;
  const { remoteAddress, remotePort } = connection;
  const text = flat(
    `"request":{"remote_ip":${quoted(remoteAddress)},"remote_port":"${remotePort}","client_ip":${quoted(clientIp)}` +
      `,"proto":${quoted(proto)},"method":${quoted(method)},"host":"${escaped(host)}","uri":"`,
  );
  return { clientIp, proto, method, host, text };
}
