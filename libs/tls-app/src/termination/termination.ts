/** TLS termination for the connections of one server. */
import type { Socket } from 'node:net';
import type { EarlyDataGuard, QuicTermination, TlsEstablished, TlsPeer, TlsTermination } from '@sluice/contracts';
import type { ConnectionPolicy } from '../policies/connection-policy.ts';
import { Handshake } from './handshake.ts';
import type { HandshakeHost, HandshakeTls } from './handshake-host.ts';

/** Starts handshakes. */
export class Termination implements TlsTermination, HandshakeHost {
  readonly tls: HandshakeTls;
  readonly policies: readonly ConnectionPolicy[];
  readonly authenticatesClients: boolean;
  readonly usesBindings: boolean;

  constructor(tls: HandshakeTls, policies: readonly ConnectionPolicy[]) {
    this.tls = tls;
    this.policies = policies;
    this.authenticatesClients = policies.some(({ client }) => client !== null);
    this.usesBindings = policies.some(({ native }) => native !== null);
  }

  async quic(guard: EarlyDataGuard | null): Promise<QuicTermination> {
    const { QuicPolicies } = await import('./quic-policies.ts');
    return new QuicPolicies(this, guard);
  }

  accept(socket: Socket, peer: TlsPeer, established: TlsEstablished): void {
    new Handshake(this, socket, peer, established).start();
  }
}
