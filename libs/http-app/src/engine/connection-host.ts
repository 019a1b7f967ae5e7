/** Manages the connections of one listener, for all HTTP versions. */
import { failOwner, runGuarded, type Guarded } from '@sluice/base';
import { Deadlines } from './deadlines.ts';

/** Time limit for the first request of a client that connected just before the listener closed, in milliseconds. */
export const newConnectionTime = 5000;

/** A connection, as its host manages it. The connection owns its callbacks: an exception in a callback closes the connection. */
export interface EngineConnection extends Guarded {
  /** Time at which {@link expire} must run next, as a `performance.now()` timestamp. `Infinity` if there is no deadline. */
  readonly deadline: number;
  /** Handles all deadlines that have passed. */
  expire(now: number): void;
  /** Stops accepting requests. Closes an idle connection immediately, and other connections once their exchanges in progress have finished. */
  retire(): void;
  /** Closes the connection once all responses have been sent, possibly immediately. Aborts unfinished exchanges. */
  finish(): void;
  /** Closes the connection immediately and discards unsent data. */
  cut(): void;
}

/** Manages the connections of a listener. */
export class ConnectionHost {
  /** True while the listener is closing. During this time, responses include `Connection: close`. */
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

  /** Registers a new deadline of a connection. */
  watch(deadline: number): void {
    this.#deadlines.add(deadline);
  }

  /** Closes idle connections immediately. Closes other connections when they finish. */
  retire(): void {
    this.retired = true;
    for (const connection of this.#connections) runGuarded(connection, () => connection.retire());
  }

  /** Closes all connections after their written data has been sent. */
  finish(): void {
    for (const connection of this.#connections) runGuarded(connection, () => connection.finish());
  }

  cut(): void {
    for (const connection of this.#connections) runGuarded(connection, () => connection.cut());
  }

  /** Resolves when there are no more connections. */
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

/** Handles the deadlines of one connection. All connections share a timer, so an exception must not affect the deadlines of other connections. */
function expire(connection: EngineConnection, now: number): void {
  try {
    connection.expire(now);
  } catch (error) {
    failOwner(connection, error);
  }
}
