/**
 * Buffers for large bodies. They exceed the thread's read buffer, for fewer reads, and are reused, so that a gigabyte creates no garbage. A
 * connection selects the buffer of its next read at the end of the previous read, so a buffer must not change owners in between.
 */

/** Bytes per buffer. */
export const largeSize: number = 256 * 1024;
/** Maximum buffers kept for reuse. */
const maxFree = 16;

const free: Buffer[] = [];

/** Buffer of one response. */
export class LargeBuffer {
  #buffer: Buffer | null = null;
  /** True if the receiver uses a chunk until it resumes. */
  #lent = false;

  /** Returns the buffer for the next read. */
  get(): Buffer {
    return (this.#buffer ??= free.pop() ?? Buffer.allocUnsafeSlow(largeSize));
  }

  /** Copies bytes from another buffer to this one. */
  copy(bytes: Buffer): Buffer {
    const buffer = this.get();
    bytes.copy(buffer);
    return buffer.subarray(0, bytes.length);
  }

  /** Marks a piece as lent until the receiver resumes. */
  lend(): void {
    this.#lent = true;
  }

  /** Transfers the buffer to the receiver permanently. Only valid during a read. */
  giveAway(): void {
    this.#buffer = null;
  }

  /** Called when the receiver has resumed. */
  resumed(): void {
    this.#lent = false;
  }

  /** Releases the buffer after the response. `reading` is true during a read, so that the next read uses another buffer. */
  release(reading: boolean): void {
    if (this.#buffer !== null && reading && !this.#lent && free.length < maxFree) free.push(this.#buffer);
    this.#buffer = null;
    this.#lent = false;
  }
}
