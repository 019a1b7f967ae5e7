/** The connections of one listener, whatever they speak. */
import { failOwner, runGuarded, type Guarded } from '@sluice/base';
import { Deadlines } from './deadlines.ts';

/** How long who has connected may take to send a first request when the listener is given up, in milliseconds. */
export const newcomerTime = 5000;

/** A connection of any engine, as its host sees it. It owns its callbacks: what one throws ends it. */
export interface EngineConnection extends Guarded {
  /** The next moment at which {@link expire} has to look, in milliseconds of `performance.now()`; Infinity for none. */
  readonly deadline: number;
  /** Does what is due. */
  expire(now: number): void;
  /** No more requests: closes now if it is idle, else after the exchanges that run. */
  retire(): void;
  /** Its exchanges are over: closes when all of their responses is sent, which may be now. Cuts those that are not over. */
  finish(): void;
  /** Closes at once, whatever was not sent yet. */
  cut(): void;
}

/** Keeps the connections of a listener. */
export class ConnectionHost {
  /** The listener was given up: responses say `Connection: close`. */
  retired = false;
  readonly #connections = new Set<EngineConnection>();
  readonly #deadlines: Deadlines = new Deadlines((now) => this.#sweep(now));
  #whenEmpty: (() => void) | null = null;

  /** How many connections there are. */
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

  /** A connection has set its deadline. */
  watch(deadline: number): void {
    this.#deadlines.add(deadline);
  }

  /** Closes idle connections now, and the others when they are done. */
  retire(): void {
    this.retired = true;
    for (const connection of this.#connections) runGuarded(connection, () => connection.retire());
  }

  /** Closes all connections, when what was written to them is sent. */
  finish(): void {
    for (const connection of this.#connections) runGuarded(connection, () => connection.finish());
  }

  /** Cuts all connections. */
  cut(): void {
    for (const connection of this.#connections) runGuarded(connection, () => connection.cut());
  }

  /** Resolves when there is no connection any more. */
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

/** Connections share a timer: one that fails at what is due must not keep the others from it. */
function expire(connection: EngineConnection, now: number): void {
  try {
    connection.expire(now);
  } catch (error) {
    failOwner(connection, error);
  }
}
