/** Interface of listener wrappers, which run between `accept` and the HTTP engines. */
import type { Socket } from 'node:net';
import { namespace, type Namespace } from '@sluice/registry';
import type { SocketFacts } from '../engine/facts.ts';

export type NextSocket = (socket: Socket, facts: SocketFacts) => void;

/**
 * One step in the chain that processes an accepted socket. A wrapper either destroys the socket or calls `next` once, synchronously or
 * later, with the socket or a stream that wraps it. Before calling `next`, it puts unused data back with `socket.unshift`. While it waits,
 * it handles the `error` and `close` events and enforces a time limit. Never throws.
 */
export interface ListenerWrapper {
  wrap(socket: Socket, facts: SocketFacts, next: NextSocket): void;
  /**
   * Allowed position in the chain. `before_tls`: reads client data before decryption, so it must precede TLS. `tls`: only marks where TLS
   * starts. If there is no marker, TLS precedes all wrappers. `anywhere`: works in any position.
   */
  readonly place: 'before_tls' | 'tls' | 'anywhere';
}

/** Module namespace `caddy.listeners`; the inline key is `wrapper`. */
export const listenerWrappers: Namespace<ListenerWrapper> = namespace<ListenerWrapper>('caddy.listeners');
