/** Memory in which a thread hands lines to the control thread: written by the one, written out by the other, copied by neither. */

/** Bytes of lines in a block. */
export const blockSize: number = 512 * 1024;
/** What stands before the lines: whether the block is in use. */
const header = 8;

/** Both threads have an object of their own over the same memory. */
export class LineBlock {
  readonly memory: SharedArrayBuffer;
  readonly bytes: Buffer;
  readonly #state: Int32Array;
  /** Gives the block back to the thread whose it is. Called by whoever has read it last, in any thread. */
  readonly release: () => void;

  constructor(memory: SharedArrayBuffer) {
    this.memory = memory;
    this.bytes = Buffer.from(memory, header);
    const state = new Int32Array(memory, 0, 1);
    this.#state = state;
    this.release = () => void Atomics.store(state, 0, 0);
  }

  /** A block for so many bytes. */
  static of(size: number): LineBlock {
    return new LineBlock(new SharedArrayBuffer(header + size));
  }

  /** Takes it if it is free. */
  take(): boolean {
    return Atomics.compareExchange(this.#state, 0, 0, 1) === 0;
  }
}
