/** TLS of one server: its policies, put before its connections. */
import type { Socket } from 'node:net';
import type { TlsEstablished, TlsPeer, TlsTermination } from '@sluice/contracts';
import type { ConnectionPolicy } from '../policies/connection-policy.ts';
import type { ThreadTls } from '../thread-tls.ts';
import { Handshake, type HandshakeHost } from './handshake.ts';

/** Begins handshakes. */
export class Termination implements TlsTermination, HandshakeHost {
  readonly tls: ThreadTls;
  readonly policies: readonly ConnectionPolicy[];
  readonly authenticatesClients: boolean;

  constructor(tls: ThreadTls, policies: readonly ConnectionPolicy[]) {
    this.tls = tls;
    this.policies = policies;
    this.authenticatesClients = policies.some(({ client }) => client !== null);
  }

  accept(socket: Socket, peer: TlsPeer, established: TlsEstablished): void {
    new Handshake(this, socket, peer, established).start();
  }
}
