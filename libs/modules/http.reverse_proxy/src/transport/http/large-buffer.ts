/**
 * Buffers for large bodies: larger than that of the thread, so that there are fewer reads, and used again and again, so
 * that a gigabyte makes no garbage. A connection knows the buffer of its next read since the end of the one before, so
 * a buffer must not become someone else's in between.
 */

/** Bytes of a buffer. */
export const largeSize: number = 256 * 1024;
/** Buffers that are kept for later. */
const maxFree = 16;

const free: Buffer[] = [];

/** The buffer of one response. */
export class LargeBuffer {
  #buffer: Buffer | null = null;
  /** Someone has a piece until it asks to go on. */
  #lent = false;

  /** The buffer to read into next. */
  get(): Buffer {
    return (this.#buffer ??= free.pop() ?? Buffer.allocUnsafeSlow(largeSize));
  }

  /** Bytes of another buffer, here. */
  copy(bytes: Buffer): Buffer {
    const buffer = this.get();
    bytes.copy(buffer);
    return buffer.subarray(0, bytes.length);
  }

  /** A piece went out until the receiver asks to go on. */
  lend(): void {
    this.#lent = true;
  }

  /** A piece went out for good. Within a read only. */
  giveAway(): void {
    this.#buffer = null;
  }

  /** The receiver has asked to go on. */
  resumed(): void {
    this.#lent = false;
  }

  /** The response is over. `reading` tells whether this is within a read, so that the next one is into another buffer. */
  release(reading: boolean): void {
    if (this.#buffer !== null && reading && !this.#lent && free.length < maxFree) free.push(this.#buffer);
    this.#buffer = null;
    this.#lent = false;
  }
}
