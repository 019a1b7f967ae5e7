/** The part of `ConnectionInfo` that engines share. */
import type { ConnectionNotes, TlsInfo } from '../exchange/connection.ts';
import type { SocketFacts } from './facts.ts';

/** Facts of a socket as fields, so that they are at hand when the socket is closed. */
export abstract class KnownFacts {
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
  readonly unix: boolean;
  readonly tls: TlsInfo | null;
  readonly notes: ConnectionNotes;

  constructor(facts: SocketFacts) {
    this.remoteAddress = facts.remoteAddress;
    this.remotePort = facts.remotePort;
    this.localAddress = facts.localAddress;
    this.localPort = facts.localPort;
    this.unix = facts.unix;
    this.tls = facts.tls;
    this.notes = facts.notes;
  }
}
