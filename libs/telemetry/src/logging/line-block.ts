/**
 * Shared memory that passes log lines to the control thread without copying. One thread fills a block, and the control thread writes the
 * block to the output.
 */

export const blockSize: number = 512 * 1024;
/** Size of the block header in bytes. The header contains the in-use flag. */
const header = 8;

/** A thread's view of a shared memory block for log lines. */
export class LineBlock {
  readonly memory: SharedArrayBuffer;
  readonly bytes: Buffer;
  readonly #state: Int32Array;
  /** Returns the block to its owner. The last reader calls this function, from any thread. */
  readonly release: () => void;

  constructor(memory: SharedArrayBuffer) {
    this.memory = memory;
    this.bytes = Buffer.from(memory, header);
    const state = new Int32Array(memory, 0, 1);
    this.#state = state;
    this.release = () => void Atomics.store(state, 0, 0);
  }

  /** Allocates a shared memory block of `size` bytes. */
  static of(size: number): LineBlock {
    return new LineBlock(new SharedArrayBuffer(header + size));
  }

  /** Claims the block. Returns false if the block is already in use. */
  take(): boolean {
    return Atomics.compareExchange(this.#state, 0, 0, 1) === 0;
  }
}
