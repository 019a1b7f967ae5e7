/**
 * What the connections of a thread hold of bodies that no handler reads. While that is little, a connection may hold some
 * megabytes, so that a body that waits does not hold up others. When it is much, each connection gets what the reference
 * gives it: whoever opens many of them holds no more here than there.
 */

/** Bytes held by a connection that close its window, and that open it again. */
export interface Bounds {
  readonly closesAt: number;
  readonly opensAt: number;
}

const wide: Bounds = { closesAt: 7 * 1024 * 1024, opensAt: 4 * 1024 * 1024 };
const narrow: Bounds = { closesAt: 512 * 1024, opensAt: 256 * 1024 };
/** Bytes held by all connections of a thread from which on the bounds are narrow. */
const most = 32 * 1024 * 1024;

/** A connection whose window is closed. */
export interface Waiting {
  /** The bounds may be wider now. */
  adjust(): void;
}

/** Counts for a thread. */
export class UnreadTotal {
  #held = 0;
  readonly #waiting = new Set<Waiting>();

  /** Those of this moment. */
  get bounds(): Bounds {
    return this.#held > most ? narrow : wide;
  }

  /** A connection holds so many bytes more, or less. */
  add(bytes: number): void {
    const before = this.bounds;
    this.#held += bytes;
    if (before === narrow && this.bounds === wide) for (const each of [...this.#waiting]) each.adjust();
  }

  /** A connection has closed its window. */
  wait(connection: Waiting): void {
    this.#waiting.add(connection);
  }

  /** A connection has opened its window, or is gone. */
  leave(connection: Waiting): void {
    this.#waiting.delete(connection);
  }
}

/** That of this thread. */
export const unreadTotal: UnreadTotal = new UnreadTotal();
