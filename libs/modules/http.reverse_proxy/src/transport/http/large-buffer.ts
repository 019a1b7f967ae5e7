/**
 * Reusable buffers for large response bodies. They are larger than the thread's read buffer, which saves reads. Reusing them reduces
 * garbage collection. A connection selects the buffer of its next read at the end of the previous read. A buffer must not change owners in
 * between.
 */

export const largeSize: number = 256 * 1024;
/** Maximum number of free large buffers. */
const maxFree = 16;

const free: Buffer[] = [];

/** Large buffer for one response. */
export class LargeBuffer {
  #buffer: Buffer | null = null;
  /** True from the time a chunk is lent to the receiver until the receiver resumes. */
  #lent = false;

  /** Returns the large buffer for the next read. */
  get(): Buffer {
    return (this.#buffer ??= free.pop() ?? Buffer.allocUnsafeSlow(largeSize));
  }

  /** Copies bytes from another buffer to the large buffer. */
  copy(bytes: Buffer): Buffer {
    const buffer = this.get();
    bytes.copy(buffer);
    return buffer.subarray(0, bytes.length);
  }

  /** Marks a chunk as lent to the receiver until the receiver resumes. */
  lend(): void {
    this.#lent = true;
  }

  /** Transfers ownership of the buffer to the receiver. Only valid during a read. */
  giveAway(): void {
    this.#buffer = null;
  }

  /** Called when the receiver of a lent chunk has resumed. */
  resumed(): void {
    this.#lent = false;
  }

  /** Releases the buffer after the response. If `reading` is true, a read is in progress, and the next read uses another buffer. */
  release(reading: boolean): void {
    if (this.#buffer !== null && reading && !this.#lent && free.length < maxFree) free.push(this.#buffer);
    this.#buffer = null;
    this.#lent = false;
  }
}
