/** Contract of listener wrappers, which run between accept and the engines. */
import type { Socket } from 'node:net';
import { namespace, type Namespace } from '@sluice/registry';
import type { SocketFacts } from '../engine/facts.ts';

/** Continues with the next wrapper, TLS or an engine. */
export type NextSocket = (socket: Socket, facts: SocketFacts) => void;

/**
 * A step of the socket chain, in a traffic thread. It calls `next` once, immediately or later, with the same socket or one wrapping it, or
 * destroys the socket. Before that, it puts back unused data (`socket.unshift`). While waiting, it handles `error` and `close` of the
 * socket and enforces a time limit. It never throws.
 */
export interface ListenerWrapper {
  wrap(socket: Socket, facts: SocketFacts, next: NextSocket): void;
  /**
   * Allowed position. `before_tls`: reads unencrypted client data. `tls`: only marks where TLS begins; by default, TLS comes before all
   * wrappers. `anywhere`: works in any position.
   */
  readonly place: 'before_tls' | 'tls' | 'anywhere';
}

/** Namespace `caddy.listeners`; inline key `wrapper`. */
export const listenerWrappers: Namespace<ListenerWrapper> = namespace<ListenerWrapper>('caddy.listeners');
