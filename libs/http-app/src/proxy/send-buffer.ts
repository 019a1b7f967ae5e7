/**
 * Buffers for outgoing chunks of request bodies and upgraded connections. Chunks must be copied, because the source is
 * overwritten. Buffers are reused: with a new buffer per chunk, V8 ran full garbage collections several times a second.
 */

/** Bytes per buffer: a full read plus framing. */
const bufferSize = 64 * 1024 + 512;
/** Minimum size of a reused buffer, in bytes. Smaller chunks come from Node's pool. */
const minSize = 4 * 1024;
/** Maximum number of free buffers. */
const maxFree = 16;

const free: Buffer[] = [];

/** Send buffer of one connection in one direction. */
export class SendBuffer {
  #buffer: Buffer | null = null;

  /** Returns a buffer of `size` bytes. `idle` is true if the kernel has accepted all earlier writes. */
  take(size: number, idle: boolean): Buffer {
    if (!idle || size < minSize || size > bufferSize) return Buffer.allocUnsafe(size);
    this.#buffer ??= free.pop() ?? Buffer.allocUnsafeSlow(bufferSize);
    return this.#buffer.subarray(0, size);
  }

  /**
   * Releases the buffer. A buffer still in use, for example by a broken connection, is left to the garbage collector.
   */
  release(idle: boolean): void {
    if (this.#buffer !== null && idle && free.length < maxFree) free.push(this.#buffer);
    this.#buffer = null;
  }
}
