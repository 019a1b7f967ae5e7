/** A connection that is still passing through listener wrappers and TLS. */
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { reportFault, runGuarded } from '@sluice/base';
import {
  newConnectionTime,
  serveSocket,
  type EngineConnection,
  type EngineHost,
  type SocketChain,
  type SocketFacts,
} from '../engine/index.ts';

const never = Number.POSITIVE_INFINITY;

/**
 * A connection that does not serve HTTP yet. The time limit for request headers applies to the PROXY header and the TLS handshake together.
 * If the listener closes immediately, it also closes pending connections.
 */
export class PendingConnection implements EngineConnection {
  deadline: number = never;
  readonly #host: EngineHost;
  readonly #socket: Socket;

  private constructor(host: EngineHost, socket: Socket) {
    this.#host = host;
    this.#socket = socket;
  }

  static start(host: EngineHost, socket: Socket, facts: SocketFacts, chain: SocketChain): void {
    const pending = new PendingConnection(host, socket);
    host.add(pending);
    const timeout = host.target.limits.readHeaderTimeout;
    if (timeout > 0) host.watch((pending.deadline = performance.now() + timeout));
    socket.on('error', ignore);
    socket.once('close', pending.#leave);
    runGuarded(pending, () => chain(socket, facts, pending.#serve));
  }

  readonly #serve = (ready: Duplex, facts: SocketFacts): void => {
    if (this.#socket.destroyed) return;
    this.#socket.off('close', this.#leave);
    serveSocket(this.#host, ready, facts);
    this.#leave();
  };

  readonly #leave = (): void => {
    this.deadline = never;
    this.#host.delete(this);
  };

  /** Handles an exception thrown by a listener wrapper or by code that the wrapper calls. */
  fault(error: unknown): void {
    reportFault({ part: 'connection', error });
    this.cut();
  }

  expire(): void {
    this.#socket.destroy();
  }

  /** During shutdown, a client that has already connected may still send one request if it does so soon. */
  retire(): void {
    this.deadline = Math.min(this.deadline, performance.now() + newConnectionTime);
    this.#host.watch(this.deadline);
  }

  finish(): void {
    this.cut();
  }

  cut(): void {
    this.#socket.destroy();
  }
}

function ignore(): void {}
