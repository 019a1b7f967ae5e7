/**
 * Deadlines of the upstream on one HTTP/1.1 connection: for starting its response, sending more of it, and accepting
 * more of the request. The pool's timer checks the earliest one.
 */
const never = Number.POSITIVE_INFINITY;

/** Operation that timed out. */
export type Delay = 'head' | 'read' | 'write';

interface DeadlineWatch {
  watch(deadline: number): void;
}

/** Deadlines of a connection, which is the only caller. Times in milliseconds of `performance.now()`. */
export class UpstreamDeadlines {
  /** Earliest deadline; Infinity for none. */
  next = never;
  readonly #owner: DeadlineWatch;
  #head = never;
  #read = never;
  #write = never;

  constructor(owner: DeadlineWatch) {
    this.#owner = owner;
  }

  /** Clears all deadlines, because a request starts or the connection is idle or closed. */
  forget(): void {
    this.next = this.#head = this.#read = this.#write = never;
  }

  /** Requires the response head, or `100 Continue`, within `timeout` milliseconds. */
  awaitHead(timeout: number): void {
    this.#head = performance.now() + timeout;
    this.#changed();
  }

  /** Clears the deadline of {@link awaitHead}. */
  headCame(): void {
    if (this.#head === never) return;
    this.#head = never;
    this.#changed();
  }

  /** Requires more of the response within `timeout` milliseconds; 0 means no limit. */
  awaitMore(timeout: number): void {
    if (timeout === 0) return;
    this.#read = performance.now() + timeout;
    this.#changed();
  }

  /** Restarts the read deadline, if active, when response bytes arrive. */
  received(timeout: number): void {
    if (this.#read !== never) this.awaitMore(timeout);
  }

  /** Clears the read deadline while the response waits for the client. */
  paused(): void {
    if (this.#read === never) return;
    this.#read = never;
    this.#changed();
  }

  /** Requires the upstream to accept more of the request within `timeout` milliseconds; 0 means no limit. */
  awaitRoom(timeout: number): void {
    if (timeout === 0) return;
    this.#write = performance.now() + timeout;
    this.#changed();
  }

  /** Clears the write deadline after the upstream has accepted all pending data. */
  roomCame(): void {
    if (this.#write === never) return;
    this.#write = never;
    this.#changed();
  }

  /** Returns the operation whose deadline has passed; `null` if none. */
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
