/**
 * Appends to a file with direct I/O (`O_DIRECT`, Linux). On a busy server, the page cache costs more than formatting the lines. Log data in
 * the page cache also evicts data that is more useful. Direct I/O requires whole blocks in the file and in memory, and waits for the
 * device.
 */
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

/** Block size in bytes. It is a multiple of the block sizes that devices require. */
export const blockSize: number = 4096;
/** Minimum batch size for direct I/O, in bytes. Smaller batches are faster through the page cache. */
export const minDirect: number = 64 * 1024;
/** Capacity of a {@link takeStage | buffer}, in bytes, not including the space for a partial block. */
export const maxDirect: number = 1024 * 1024;

/**
 * A second file handle that writes only whole blocks. Other processes must not append to the file, because between two writes it can end
 * within a line.
 */
export class DirectAppend {
  readonly #file: FileHandle;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Opens the file that `file` refers to, even if it was renamed. Returns `null` if this is not possible. */
  static async of(file: FileHandle): Promise<DirectAppend | null> {
    if (constants.O_DIRECT === undefined) return null;
    const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_DIRECT;
    return open(`/proc/self/fd/${file.fd}`, flags).then(
      (second) => new DirectAppend(second),
      () => null,
    );
  }

  /** Appends blocks to a file that ends at a block boundary. Returns the number of bytes written. */
  async append(blocks: Buffer): Promise<number> {
    try {
      return (await this.#file.write(blocks)).bytesWritten;
    } catch {
      return 0;
    }
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

/** Declared here because TypeScript's types for WebAssembly require the DOM library. */
declare const WebAssembly: {
  readonly Memory: new (pages: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
};
const pageSize = 65_536;
const pages = Math.ceil((maxDirect + blockSize) / pageSize);
const stages: Buffer[] = [];

/**
 * Returns a block-aligned buffer for a partial block and {@link maxDirect} more bytes. Returns `null` if no buffer is free. The buffer is
 * WebAssembly memory, which is block-aligned.
 */
export function takeStage(): Buffer | null {
  try {
    return stages.pop() ?? Buffer.from(new WebAssembly.Memory({ initial: pages, maximum: pages }).buffer);
  } catch {
    return null;
  }
}

/** Returns a buffer to the pool of direct I/O buffers. */
export function giveStage(stage: Buffer): void {
  stages.push(stage);
}
