/**
 * How long the upstream of one HTTP/1.1 connection may still take: to begin its response, to send more of it, to take more
 * of the request. The earliest moment is when the pool's timer looks again.
 */
const never = Number.POSITIVE_INFINITY;

/** What an upstream was too slow at. */
export type Delay = 'head' | 'read' | 'write';

/** Hears of the moments at which to look. */
interface DeadlineWatch {
  watch(deadline: number): void;
}

/** The deadlines of a connection; owned and called by it alone. Times in milliseconds of `performance.now()`. */
export class UpstreamDeadlines {
  /** The earliest of all; Infinity for none. */
  next = never;
  readonly #owner: DeadlineWatch;
  #head = never;
  #read = never;
  #write = never;

  constructor(owner: DeadlineWatch) {
    this.#owner = owner;
  }

  /** Nothing has a limit: a request begins, or the connection is idle or gone. */
  forget(): void {
    this.next = this.#head = this.#read = this.#write = never;
  }

  /** The head of the response, or `100 Continue`, has to come within so many milliseconds. */
  awaitHead(timeout: number): void {
    this.#head = performance.now() + timeout;
    this.#changed();
  }

  /** What {@link awaitHead} waited for has come, or is not waited for any more. */
  headCame(): void {
    if (this.#head === never) return;
    this.#head = never;
    this.#changed();
  }

  /** More of the response has to come within so many milliseconds; 0: no limit. */
  awaitMore(timeout: number): void {
    if (timeout === 0) return;
    this.#read = performance.now() + timeout;
    this.#changed();
  }

  /** Bytes of the response came: the time for more begins again, if there is one. */
  received(timeout: number): void {
    if (this.#read !== never) this.awaitMore(timeout);
  }

  /** The response has to wait for the client. */
  paused(): void {
    if (this.#read === never) return;
    this.#read = never;
    this.#changed();
  }

  /** The upstream has to take more of the request within so many milliseconds; 0: no limit. */
  awaitRoom(timeout: number): void {
    if (timeout === 0) return;
    this.#write = performance.now() + timeout;
    this.#changed();
  }

  /** The upstream has taken what was pending. */
  roomCame(): void {
    if (this.#write === never) return;
    this.#write = never;
    this.#changed();
  }

  /** Tells what the upstream was too slow at; `null` if nothing is due. */
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
