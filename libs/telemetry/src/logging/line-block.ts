/**
 * Shared memory for passing lines to the control thread without copying: one thread writes a block, and the control thread writes the block
 * to the output.
 */

export const blockSize: number = 512 * 1024;
/** Size of the header, which contains the in-use flag. */
const header = 8;

/** A view of shared memory. Each thread has its own view of the same memory. */
export class LineBlock {
  readonly memory: SharedArrayBuffer;
  readonly bytes: Buffer;
  readonly #state: Int32Array;
  /** Returns the block to its owner. Called by the last reader, in any thread. */
  readonly release: () => void;

  constructor(memory: SharedArrayBuffer) {
    this.memory = memory;
    this.bytes = Buffer.from(memory, header);
    const state = new Int32Array(memory, 0, 1);
    this.#state = state;
    this.release = () => void Atomics.store(state, 0, 0);
  }

  /** Allocates a block of `size` bytes. */
  static of(size: number): LineBlock {
    return new LineBlock(new SharedArrayBuffer(header + size));
  }

  /** Claims the block. Returns false if the block is in use. */
  take(): boolean {
    return Atomics.compareExchange(this.#state, 0, 0, 1) === 0;
  }
}
