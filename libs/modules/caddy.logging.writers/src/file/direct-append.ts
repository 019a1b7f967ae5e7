/**
 * Appending to a file past the page cache (`O_DIRECT`, Linux). The system copies what is written into pages of memory that
 * it has to find first, which for the log of a busy server costs more than making its lines, and pushes out what is read
 * more often than logs are; the device can read them where they are. That goes in whole blocks only, of the file and of
 * memory, and waits for the device.
 */
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

/** Bytes of a block: a multiple of what devices ask for. */
export const blockSize: number = 4096;
/** From so many bytes on it costs less than writing as usual. */
export const leastDirect: number = 64 * 1024;
/** Bytes that a {@link takeStage | stage} has room for, after a begun block. */
export const mostDirect: number = 1024 * 1024;

/**
 * A file that is open a second time, for whole blocks. It takes several writes to append lines so, and between them the file
 * ends within a line: that is for files to which no other process appends.
 */
export class DirectAppend {
  readonly #file: FileHandle;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** The file that is open as `file`, whatever its name is by now; `null` where that cannot be had. */
  static async of(file: FileHandle): Promise<DirectAppend | null> {
    if (constants.O_DIRECT === undefined) return null;
    const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_DIRECT;
    return open(`/proc/self/fd/${file.fd}`, flags).then(
      (second) => new DirectAppend(second),
      () => null,
    );
  }

  /** Appends blocks of a stage to a file that ends with a block. Gives the number of bytes that were taken. */
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

/** What TypeScript knows of browsers only. */
declare const WebAssembly: {
  readonly Memory: new (pages: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
};
const pageSize = 65_536;
const pages = Math.ceil((mostDirect + blockSize) / pageSize);
const stages: Buffer[] = [];

/** Memory for {@link mostDirect} bytes after a begun block. It begins with a block, as memory of WebAssembly does; `null` if there is none. */
export function takeStage(): Buffer | null {
  try {
    return stages.pop() ?? Buffer.from(new WebAssembly.Memory({ initial: pages, maximum: pages }).buffer);
  } catch {
    return null;
  }
}

/** Lets others use a stage. */
export function giveStage(stage: Buffer): void {
  stages.push(stage);
}
