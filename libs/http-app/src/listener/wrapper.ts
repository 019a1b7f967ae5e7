/** Contract of listener wrappers, which run between accept and the engines. */
import type { Socket } from 'node:net';
import { namespace, type Namespace } from '@sluice/registry';
import type { SocketFacts } from '../engine/facts.ts';

export type NextSocket = (socket: Socket, facts: SocketFacts) => void;

/**
 * A step of the socket chain in a traffic thread. The wrapper calls `next` once, immediately or later, with the same or
 * a wrapping socket, or destroys the socket. Before that, it puts unused data back (`socket.unshift`). While it waits,
 * it handles the socket events `error` and `close` and enforces a time limit. Never throws.
 */
export interface ListenerWrapper {
  wrap(socket: Socket, facts: SocketFacts, next: NextSocket): void;
  /**
   * Allowed position. `before_tls`: reads unencrypted client data. `tls`: only marks the start of TLS; by default, TLS precedes all
   * wrappers. `anywhere`: works in any position.
   */
  readonly place: 'before_tls' | 'tls' | 'anywhere';
}

/** Namespace `caddy.listeners`; inline key `wrapper`. */
export const listenerWrappers: Namespace<ListenerWrapper> = namespace<ListenerWrapper>('caddy.listeners');
