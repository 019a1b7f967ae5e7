/**
 * Memory for pieces on their way out, of request bodies and of what upgraded connections say. Pieces are overwritten where they came from, so that they have to be
 * copied; into memory that is used again and again, as buffers of their own made V8 collect all its garbage several times a
 * second.
 */

/** Bytes of a buffer: a piece as large as reads are, with what stands around it. */
const bufferSize = 64 * 1024 + 512;
/** Smaller pieces are cut from Node's pool. */
const minSize = 4 * 1024;
/** Buffers that are kept for later. */
const maxFree = 16;

const free: Buffer[] = [];

/** The memory of one connection, in one direction. */
export class SendBuffer {
  #buffer: Buffer | null = null;

  /** Memory of so many bytes; `idle`: all that was written before was taken by the system. */
  take(size: number, idle: boolean): Buffer {
    if (!idle || size < minSize || size > bufferSize) return Buffer.allocUnsafe(size);
    this.#buffer ??= free.pop() ?? Buffer.allocUnsafeSlow(bufferSize);
    return this.#buffer.subarray(0, size);
  }

  /** No more is sent for now. Memory that is not taken yet, as that of a broken connection, is left to the collector. */
  release(idle: boolean): void {
    if (this.#buffer !== null && idle && free.length < maxFree) free.push(this.#buffer);
    this.#buffer = null;
  }
}
