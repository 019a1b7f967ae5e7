/**
 * Deadlines for the upstream on one HTTP/1.1 connection. There are three: for starting the response, for sending more of it, and for
 * accepting more of the request. The pool's timer checks the earliest deadline.
 */
const never = Number.POSITIVE_INFINITY;

/** Upstream operation whose deadline passed. */
export type Delay = 'head' | 'read' | 'write';

interface DeadlineWatch {
  watch(deadline: number): void;
}

/** Deadlines of a connection; only the connection calls the methods. Deadlines are measured by `performance.now()`, in milliseconds. */
export class UpstreamDeadlines {
  /** Earliest deadline, or Infinity if there is none. */
  next = never;
  readonly #owner: DeadlineWatch;
  #head = never;
  #read = never;
  #write = never;

  constructor(owner: DeadlineWatch) {
    this.#owner = owner;
  }

  /** Clears all deadlines. Called when a request starts, and when the connection becomes idle or is closed. */
  forget(): void {
    this.next = this.#head = this.#read = this.#write = never;
  }

  /** Starts the deadline for the response head or `100 Continue`, in `timeout` milliseconds. */
  awaitHead(timeout: number): void {
    this.#head = performance.now() + timeout;
    this.#changed();
  }

  /** Clears the deadline set by {@link awaitHead}. */
  headCame(): void {
    if (this.#head === never) return;
    this.#head = never;
    this.#changed();
  }

  /** Starts the read deadline: more of the response must arrive within `timeout` milliseconds. 0 means no limit. */
  awaitMore(timeout: number): void {
    if (timeout === 0) return;
    this.#read = performance.now() + timeout;
    this.#changed();
  }

  /** Restarts an active read deadline when response bytes arrive. */
  received(timeout: number): void {
    if (this.#read !== never) this.awaitMore(timeout);
  }

  /** Clears the read deadline while the client reads too slowly. */
  paused(): void {
    if (this.#read === never) return;
    this.#read = never;
    this.#changed();
  }

  /** Starts the write deadline: the upstream must accept more of the request within `timeout` milliseconds. 0 means no limit. */
  awaitRoom(timeout: number): void {
    if (timeout === 0) return;
    this.#write = performance.now() + timeout;
    this.#changed();
  }

  /** Clears the write deadline once the upstream has accepted all pending data. */
  roomCame(): void {
    if (this.#write === never) return;
    this.#write = never;
    this.#changed();
  }

  /** Returns the operation whose deadline has passed, or `null` if there is none. */
  passed(now: number): Delay | null {
    if (this.#head <= now) return 'head';
    if (this.#read <= now) return 'read';
    return this.#write <= now ? 'write' : null;
  }

  #changed(): void {
    this.next = Math.min(this.#head, this.#read, this.#write);
    if (this.next !== never) this.#owner.watch(this.next);
  }
}
