/** Contract of listener wrappers: what stands between accept and the engines. */
import type { Socket } from 'node:net';
import { namespace, type Namespace } from '@sluice/registry';
import type { SocketFacts } from '../engine/facts.ts';

/** Goes on to what follows a wrapper: the next one, TLS or an engine. */
export type NextSocket = (socket: Socket, facts: SocketFacts) => void;

/**
 * A step of the socket chain, in a traffic thread. It calls `next` once, at once or later, with the same socket or one
 * around it, or it destroys the socket. What it read and did not use it puts back (`socket.unshift`) before that. While it
 * waits it handles `error` and `close` of the socket itself, and has a time limit. It never throws.
 */
export interface ListenerWrapper {
  wrap(socket: Socket, facts: SocketFacts, next: NextSocket): void;
  /**
   * Where it may stand. `before_tls`: it reads what clients send plainly. `tls`: it does nothing itself and marks where TLS
   * begins, which otherwise is in front of all wrappers. `anywhere`: it takes what it gets.
   */
  readonly place: 'before_tls' | 'tls' | 'anywhere';
}

/** `caddy.listeners`: inline key `wrapper`. */
export const listenerWrappers: Namespace<ListenerWrapper> = namespace<ListenerWrapper>('caddy.listeners');
