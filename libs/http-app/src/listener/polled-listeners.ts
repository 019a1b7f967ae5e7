/**
 * Listening sockets whose connections have no libuv handles. As a result, TLS with the OpenSSL bindings takes less CPU time, because Node
 * does not call JavaScript for each event of a connection.
 */
import type { Server } from 'node:net';
import { directReads, runGuarded, taskOf, type ListenSockets } from '@sluice/base';
import { PolledListener, supportsPolledSockets, type PolledSocket } from '@sluice/native';

const task = taskOf('http');

interface ListeningServer {
  readonly _handle?: { readonly fd?: number } | null;
}

export class PolledListeners {
  readonly #sockets: ListenSockets;
  readonly #accept: (socket: PolledSocket) => void;
  readonly #open = new Map<Server, PolledListener>();

  constructor(sockets: ListenSockets, accept: (socket: PolledSocket) => void) {
    this.#sockets = sockets;
    this.#accept = accept;
  }

  /**
   * Accepts the connections of these servers from now on, if allowed. If the list is empty, libuv accepts the connections of all servers.
   * `keepAlive` is an interval in milliseconds.
   */
  start(servers: readonly Server[], keepAlive: number): void {
    if (servers.length === 0) this.stop('libuv');
    for (const server of servers) {
      const descriptor = (server as ListeningServer)._handle?.fd ?? -1;
      if (!this.#open.has(server) && descriptor >= 0 && directReads.allowed && supportsPolledSockets())
        runGuarded(task, () => this.#poll(server, descriptor));
    }
    for (const listener of this.#open.values()) listener.keepAlive = Math.floor(keepAlive / 1000);
  }

  /** If polling is not possible, libuv continues to accept connections. */
  #poll(server: Server, descriptor: number): void {
    if (!PolledListener.supports(descriptor)) return;
    const listener = new PolledListener(descriptor, this.#accept);
    this.#open.set(server, listener);
    this.#sockets.watch?.polls(listener.sets);
  }

  /** Stops accepting connections without libuv handles. Must be called before the servers close. `next` accepts the next connections. */
  stop(next: 'libuv' | 'none' = 'none'): void {
    for (const listener of this.#open.values()) listener.stop(next);
    this.#open.clear();
  }
}
