/**
 * Buffers for outgoing chunks of request bodies and upgraded connections. Chunks are copied because their source is overwritten. Buffers
 * are reused: a new buffer per chunk caused several full garbage collections a second.
 */

/** Size of a buffer in bytes: a full read plus framing overhead. */
const bufferSize = 64 * 1024 + 512;
/** Minimum size of a reused buffer, in bytes. Smaller buffers come from Node's pool. */
const minSize = 4 * 1024;
/** Maximum number of free buffers to keep. */
const maxFree = 16;

const free: Buffer[] = [];

/** Send buffer for one direction of a connection. */
export class SendBuffer {
  #buffer: Buffer | null = null;

  /** Returns a buffer of `size` bytes. `idle` is true if the kernel has accepted all earlier writes. */
  take(size: number, idle: boolean): Buffer {
    if (!idle || size < minSize || size > bufferSize) return Buffer.allocUnsafe(size);
    this.#buffer ??= free.pop() ?? Buffer.allocUnsafeSlow(bufferSize);
    return this.#buffer.subarray(0, size);
  }

  /** Releases the buffer for reuse. If a write may still use the buffer, for example on a broken connection, the garbage collector frees it. */
  release(idle: boolean): void {
    if (this.#buffer !== null && idle && free.length < maxFree) free.push(this.#buffer);
    this.#buffer = null;
  }
}
