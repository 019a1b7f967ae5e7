/** Connections of one listener, with any protocol. */
import { failOwner, runGuarded, type Guarded } from '@sluice/base';
import { Deadlines } from './deadlines.ts';

/** Time in milliseconds for a client that connected just before the listener closed to send its first request. */
export const newConnectionTime = 5000;

/**
 * A connection as seen by its host. The connection owns its callbacks: an exception in a callback closes the
 * connection.
 */
export interface EngineConnection extends Guarded {
  /** Next time {@link expire} must run, in milliseconds of `performance.now()`; Infinity for none. */
  readonly deadline: number;
  /** Processes all deadlines that have passed. */
  expire(now: number): void;
  /** Stops accepting requests: closes immediately if idle, otherwise after the running exchanges. */
  retire(): void;
  /** Closes once all responses are sent, possibly now. Cuts unfinished exchanges. */
  finish(): void;
  /** Closes immediately and discards unsent data. */
  cut(): void;
}

/** Manages the connections of a listener. */
export class ConnectionHost {
  /** True while the listener is closing. Responses then include `Connection: close`. */
  retired = false;
  readonly #connections = new Set<EngineConnection>();
  readonly #deadlines: Deadlines = new Deadlines((now) => this.#sweep(now));
  #whenEmpty: (() => void) | null = null;

  get size(): number {
    return this.#connections.size;
  }

  add(connection: EngineConnection): void {
    this.#connections.add(connection);
  }

  delete(connection: EngineConnection): void {
    if (!this.#connections.delete(connection) || this.#connections.size > 0) return;
    this.#deadlines.stop();
    this.#whenEmpty?.();
  }

  /** Registers a connection's new deadline. */
  watch(deadline: number): void {
    this.#deadlines.add(deadline);
  }

  /** Closes idle connections immediately, and others when they finish. */
  retire(): void {
    this.retired = true;
    for (const connection of this.#connections) runGuarded(connection, () => connection.retire());
  }

  /** Closes all connections once their written data is sent. */
  finish(): void {
    for (const connection of this.#connections) runGuarded(connection, () => connection.finish());
  }

  cut(): void {
    for (const connection of this.#connections) runGuarded(connection, () => connection.cut());
  }

  /** Resolves when no connections are left. */
  empty(): Promise<void> {
    if (this.#connections.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const before = this.#whenEmpty;
      this.#whenEmpty = () => {
        before?.();
        resolve();
      };
    });
  }

  #sweep(now: number): number {
    let next = Number.POSITIVE_INFINITY;
    for (const connection of this.#connections) {
      if (connection.deadline <= now) expire(connection, now);
      if (connection.deadline < next) next = connection.deadline;
    }
    return next;
  }
}

/** Connections share a timer, so a failure of one connection must not prevent the others from expiring. */
function expire(connection: EngineConnection, now: number): void {
  try {
    connection.expire(now);
  } catch (error) {
    failOwner(connection, error);
  }
}
