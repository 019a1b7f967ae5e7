/** Base class with the connection properties that all HTTP engines share. */
import type { ConnectionNotes, TlsInfo } from '../exchange/connection.ts';
import type { SocketFacts } from './facts.ts';

/** Copies the socket's properties to fields, so that they remain available after the socket closes. */
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
