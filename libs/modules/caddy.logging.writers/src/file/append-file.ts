/** A file that is open for appending whole lines. */
import { constants, type Stats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { LostLines } from '../common/line-queue.ts';

const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;
const feed = 0x0a;

/** The open file. */
export class AppendFile {
  readonly #file: FileHandle;
  readonly #inode: number;
  #size: number;

  private constructor(file: FileHandle, inode: number, size: number) {
    this.#file = file;
    this.#inode = inode;
    this.#size = size;
  }

  /** Opens or makes it. With a mode it gets these permissions, whatever it had and whatever the umask says; else 0600 when made. */
  static async open(path: string, mode: number | null): Promise<AppendFile> {
    const file = await open(path, flags, mode ?? 0o600);
    try {
      const facts = await file.stat();
      if (mode !== null && facts.isFile() && (facts.mode & 0o777) !== mode) await file.chmod(mode);
      return new AppendFile(file, facts.ino, facts.size);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Bytes in it, as far as is known. */
  get size(): number {
    return this.#size;
  }

  /** Whether what was found under its path is this file still. Takes over a size that others changed, as `copytruncate` does. */
  follow(found: Stats | null): boolean {
    if (found?.ino !== this.#inode) return false;
    this.#size = found.size;
    return true;
  }

  /** Appends whole lines. On a failure, as of a full disk, no torn line is left; throws {@link LostLines}. */
  async append(bytes: Buffer): Promise<void> {
    let written = 0;
    try {
      while (written < bytes.length) written += (await this.#file.write(bytes, written)).bytesWritten;
    } catch (error) {
      const whole = written === 0 ? 0 : bytes.lastIndexOf(feed, written - 1) + 1;
      await this.#cut(written, whole);
      throw new LostLines(linesIn(bytes.subarray(whole)), error);
    }
    this.#size += written;
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  /** Of `written` bytes keeps the first `whole`, unless somebody else has appended, or it is no plain file. */
  async #cut(written: number, whole: number): Promise<void> {
    const end = this.#size + written;
    this.#size = end;
    if (written === whole) return;
    try {
      const facts = await this.#file.stat();
      if (!facts.isFile() || facts.size !== end) return;
      await this.#file.truncate(end - written + whole);
      this.#size = end - written + whole;
    } catch {
      // The torn line stays.
    }
  }
}

function linesIn(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(feed); at >= 0; at = bytes.indexOf(feed, at + 1)) lines++;
  return lines;
}
