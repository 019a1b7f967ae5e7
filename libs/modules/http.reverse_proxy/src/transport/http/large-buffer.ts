/**
 * Reusable buffers for large bodies. They are larger than the thread's read buffer, for fewer reads, and reusing them
 * avoids garbage. A connection selects the buffer of its next read at the end of the previous one, so a buffer must not
 * change owners in between.
 */

export const largeSize: number = 256 * 1024;
/** Maximum number of free buffers. */
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

  /** Copies bytes of another buffer into this one. */
  copy(bytes: Buffer): Buffer {
    const buffer = this.get();
    bytes.copy(buffer);
    return buffer.subarray(0, bytes.length);
  }

  /** Marks a chunk as lent until the receiver resumes. */
  lend(): void {
    this.#lent = true;
  }

  /** Gives the buffer to the receiver permanently. Only valid during a read. */
  giveAway(): void {
    this.#buffer = null;
  }

  /** Called when the receiver has resumed. */
  resumed(): void {
    this.#lent = false;
  }

  /**
   * Releases the buffer after the response. `reading` is true during a read; the next read then uses another buffer.
   */
  release(reading: boolean): void {
    if (this.#buffer !== null && reading && !this.#lent && free.length < maxFree) free.push(this.#buffer);
    this.#buffer = null;
    this.#lent = false;
  }
}
