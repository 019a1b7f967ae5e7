/**
 * Buffers for reading large bodies: larger than that of the thread, so that there are fewer reads, and used again and
 * again, so that a gigabyte makes no garbage. A piece of such a body is lent to who writes it; the buffer can be read into
 * again when that has gone on.
 */

/** Bytes of a buffer. */
export const largeSize: number = 256 * 1024;
/** Smaller pieces are copied: a stream takes them in without saying when it has written them. */
const minLent = 64 * 1024;
/** Buffers that are kept for later. */
const maxFree = 16;

const free: Buffer[] = [];

/** The buffer that one answer is read into. */
export class LargeBuffer {
  #buffer: Buffer | null = null;
  /** Somebody may keep a piece for good. */
  #given = false;
  /** Somebody has a piece until it asks to go on. */
  #lent = false;

  /** The buffer to read into next. */
  get(): Buffer {
    if (this.#buffer === null || this.#given) {
      this.#buffer = free.pop() ?? Buffer.allocUnsafeSlow(largeSize);
      this.#given = false;
    }
    return this.#buffer;
  }

  /** Whether a piece of this size is lent, if the receiver knows how to borrow. */
  lends(size: number): boolean {
    return size >= minLent;
  }

  /** A piece went out: until the receiver asks to go on, or for good. */
  lent(untilResumed: boolean): void {
    if (untilResumed) this.#lent = true;
    else this.#given = true;
  }

  /** The receiver has asked to go on. */
  resumed(): void {
    this.#lent = false;
  }

  /** The answer is over. */
  release(): void {
    if (this.#buffer !== null && !this.#given && !this.#lent && free.length < maxFree) free.push(this.#buffer);
    this.#buffer = null;
    this.#given = this.#lent = false;
  }
}
