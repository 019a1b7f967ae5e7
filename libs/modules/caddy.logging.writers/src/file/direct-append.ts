/**
 * Appends to a file with direct I/O (`O_DIRECT`, Linux). The page cache costs more than formatting the lines on a busy
 * server, and evicts more useful data. Direct I/O requires whole blocks in file and memory, and waits for the device.
 */
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

/** Block size in bytes, a multiple of the sizes that devices require. */
export const blockSize: number = 4096;
/** Minimum batch size for direct I/O, in bytes; smaller batches are faster through the page cache. */
export const minDirect: number = 64 * 1024;
/** Capacity of a {@link takeStage | buffer} after a partial block, in bytes. */
export const maxDirect: number = 1024 * 1024;

/**
 * A second file handle for whole blocks. Other processes must not append, because the file may end within a line
 * between two writes.
 */
export class DirectAppend {
  readonly #file: FileHandle;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Opens the file behind `file`, regardless of its current name; returns `null` if that is not possible. */
  static async of(file: FileHandle): Promise<DirectAppend | null> {
    if (constants.O_DIRECT === undefined) return null;
    const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_DIRECT;
    return open(`/proc/self/fd/${file.fd}`, flags).then(
      (second) => new DirectAppend(second),
      () => null,
    );
  }

  /** Appends blocks to a file that ends at a block boundary. Returns the number of written bytes. */
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

/** TypeScript declares this only for browsers. */
declare const WebAssembly: {
  readonly Memory: new (pages: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
};
const pageSize = 65_536;
const pages = Math.ceil((maxDirect + blockSize) / pageSize);
const stages: Buffer[] = [];

/**
 * Returns a block-aligned buffer for {@link maxDirect} bytes after a partial block; `null` if none is free. WebAssembly
 * memory is block-aligned.
 */
export function takeStage(): Buffer | null {
  try {
    return stages.pop() ?? Buffer.from(new WebAssembly.Memory({ initial: pages, maximum: pages }).buffer);
  } catch {
    return null;
  }
}

/** Returns a buffer to the pool. */
export function giveStage(stage: Buffer): void {
  stages.push(stage);
}
