/** The beginning of what log entries tell of a request: what mostly stays from one request of a connection to the next. */
import { flat } from '@sluice/registry';
import type { Exchange } from '../exchange/exchange.ts';
import { escaped, quoted } from './log-text.ts';

/** A beginning, and what it was made of. */
interface Opening {
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly clientIp: string;
  readonly proto: string;
  readonly method: string;
  readonly host: string;
  readonly text: string;
}

/** Connections are told apart by so many of the low bits of the client's port; others make their beginning anew. */
const slots = 1024;

/** Remembers the beginning of each connection's last request. One per log. */
export class RequestOpenings {
  readonly #known: (Opening | null)[] = Array.from({ length: slots }, () => null);

  /** `{"remote_ip":"192.0.2.1",…,"host":"example.com","uri":"`: up to the target, which differs. */
  of(exchange: Exchange): string {
    const { remotePort } = exchange.connection;
    const known = this.#known[remotePort & (slots - 1)] as Opening | null;
    if (known !== null && begins(known, exchange)) return known.text;
    const made = makeOpening(exchange);
    this.#known[remotePort & (slots - 1)] = made;
    return made.text;
  }
}

function begins(known: Opening, exchange: Exchange): boolean {
  const { connection } = exchange;
  return (
    known.remotePort === connection.remotePort &&
    known.remoteAddress === connection.remoteAddress &&
    known.method === exchange.originalMethod &&
    known.host === exchange.originalHost &&
    known.clientIp === exchange.clientIp &&
    known.proto === exchange.proto
  );
}

function makeOpening(exchange: Exchange): Opening {
  const { connection, clientIp, proto, originalMethod: method, originalHost: host } = exchange;
  const { remoteAddress, remotePort } = connection;
  const text = flat(
    `{"remote_ip":${quoted(remoteAddress)},"remote_port":"${remotePort}","client_ip":${quoted(clientIp)}` +
      `,"proto":${quoted(proto)},"method":${quoted(method)},"host":"${escaped(host)}","uri":"`,
  );
  return { remoteAddress, remotePort, clientIp, proto, method, host, text };
}
